"""Runs of scree with a library before MPI that counts (mpi_counts.cpp): what each rank sent, and how long it computed."""
import csv
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

import common

BUILT = common.ROOT / "build" / "scripts" / "bench"
COUNTER = pathlib.Path(os.environ.get("SCREE_MPI_COUNTER", BUILT / "libbench_mpi_counts.so"))
PING_PONG = pathlib.Path(os.environ.get("SCREE_PING_PONG", BUILT / "bench_ping_pong"))


@dataclasses.dataclass(frozen=True)
class Counts:
    """Those of a rank. The difference of two runs is that of what one of them did more."""
    messages: float
    bytes: float
    collectives: float
    seconds: float  # of processor time outside of MPI
    to: dict  # messages to each rank

    @property
    def neighbours(self):
        return sum(n > 0 for n in self.to.values())

    def __sub__(self, other):
        return Counts(self.messages - other.messages, self.bytes - other.bytes, self.collectives - other.collectives,
                      self.seconds - other.seconds, {rank: n - other.to.get(rank, 0) for rank, n in self.to.items()})

    def __mul__(self, n):
        return Counts(n * self.messages, n * self.bytes, n * self.collectives, n * self.seconds,
                      {rank: n * m for rank, m in self.to.items()})


def read(file):
    with open(file, newline="", encoding="utf-8") as lines:
        rows = {row["name"]: (int(row["calls"]), int(row["bytes"])) for row in csv.DictReader(lines)}
    messages, sent = rows.get("send", (0, 0))
    collectives = sum(calls for name, (calls, _) in rows.items() if name.startswith("MPI_"))
    to = {int(name.split()[1]): calls for name, (calls, _) in rows.items() if name.startswith("to ")}
    return Counts(messages, sent, collectives, 1e-9 * rows["processor"][0], to)


def launcher(ranks):
    environment = common.environment() | {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_pml": "ob1"}
    return ["mpirun", "-n", str(ranks)], environment


def run(config, ranks, folder):
    """Counts of each rank of a run of the configuration, and its steps."""
    command, environment = launcher(ranks)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        file, output = pathlib.Path(scratch) / "run.yaml", pathlib.Path(scratch) / "run"
        file.write_text(json.dumps(config), encoding="utf-8")
        environment["SCREE_MPI_COUNTS"] = f"{scratch}/counts"
        command += ["-x", f"LD_PRELOAD={COUNTER}", common.PROGRAM, "run", file, "--output", output, "--quiet"]
        subprocess.run(list(map(str, command)), env=environment, check=True, stderr=subprocess.DEVNULL)
        return [read(f"{scratch}/counts.{rank}") for rank in range(ranks)], common.table(output)


def run_least(config, ranks, folder, turns):
    """Likewise, of each time the least of some runs."""
    runs = [run(config, ranks, folder) for _ in range(turns)]
    counts = [dataclasses.replace(of_rank[0], seconds=min(c.seconds for c in of_rank)) for of_rank in zip(*(c for c, _ in runs))]
    steps = [of_step[0] | {"seconds_step": min(s["seconds_step"] for s in of_step)} for of_step in zip(*(s for _, s in runs))]
    return counts, steps


def each(more, less, n):
    """Counts of each rank by which one run exceeds another, over n."""
    return [(a - b) * (1 / n) for a, b in zip(more, less)]


@dataclasses.dataclass(frozen=True)
class Largest:
    """Of each count that of the rank that has most."""
    messages: float
    bytes: float
    collectives: float
    seconds: float
    neighbours: int


def largest(counts):
    return Largest(*(max(getattr(c, field.name) for c in counts) for field in dataclasses.fields(Largest)))


def ping_pong():
    """Latency in s and seconds a byte between two ranks, one alone on each core."""
    command, environment = launcher(2)
    done = subprocess.run([*command, str(PING_PONG)], env=environment, check=True, capture_output=True, text=True)
    latency, per_byte = map(float, done.stdout.split())
    return latency, per_byte
