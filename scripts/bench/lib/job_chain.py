"""A run as a chain of batch jobs: each goes on from the newest checkpoint, until one ends with status 0."""
import csv
import dataclasses
import os
import subprocess
import time

import common


@dataclasses.dataclass(frozen=True)
class Job:
    status: int
    wall_s: float
    processor_s: float
    peak_bytes: int  # of the one rank


def one(config, folder, seconds, overrides):
    """Runs scree on one rank for so many seconds of wall clock."""
    command = [common.PROGRAM, "run", config, "--output", folder, "--restart", "latest", "--wall-limit", seconds, "--quiet"]
    for override in overrides:
        command += ["--set", override]
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], env=common.environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Job(process.returncode, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def chain(config, folder, seconds, overrides=()):
    """All jobs of a run, those of earlier calls included: FOLDER.jobs.csv keeps them beside the run."""
    kept = folder.with_name(f"{folder.name}.jobs.csv")
    jobs = read(kept)
    while not jobs or jobs[-1].status == common.STOPPED:
        jobs.append(one(config, folder, seconds, overrides))
        write(kept, jobs)
        if jobs[-1].status not in (common.DONE, common.STOPPED):
            raise SystemExit(f"{config}: a job ended with status {jobs[-1].status}")
    return jobs


def write(file, jobs):
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, [field.name for field in dataclasses.fields(Job)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(dataclasses.asdict(job) for job in jobs)


def read(file):
    if not file.exists():
        return []
    with open(file, newline="", encoding="utf-8") as table:
        return [Job(int(row["status"]), float(row["wall_s"]), float(row["processor_s"]), int(row["peak_bytes"]))
                for row in csv.DictReader(table)]
