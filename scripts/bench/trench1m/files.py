"""Peak memory of a job that writes a checkpoint, seconds of a start from it and of snapshots, and what `dd` writes there."""
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import h5py

import common
import job_chain

DT = 2e-3  # s, of configs/trench-1m.yaml
STEPS = 4  # all but the last have a snapshot whose time the next tells
DD_BYTES = 2**20  # a block
PAUSE = 6.0  # s: what has been free for so long is no dearer to touch for a snapshot than for dd
BEGINNING = 2  # steps before the checkpoint


def figure(quantity, value, asked=""):
    """A row of a table of single figures."""
    return {"quantity": quantity, "value": f"{value:.4g}" if isinstance(value, float) else value, "asked": asked}


def newest_checkpoint(run):
    return max((run / "checkpoints").glob("*.h5"), key=lambda file: file.stat().st_mtime)


def dd_rate(file, size):
    """Bytes a second of so many zeros written to a new file, until they are on the disk."""
    time.sleep(PAUSE)
    start = time.perf_counter()
    subprocess.run(["dd", "if=/dev/zero", f"of={file}", f"bs={DD_BYTES}", f"count={size // DD_BYTES}", "conv=fsync"], check=True,
                   stderr=subprocess.DEVNULL)
    return size // DD_BYTES * DD_BYTES / (time.perf_counter() - start)


def numbers_of(snapshot):
    """Bytes of the numbers in a snapshot, as they are before they are deflated."""
    sizes = []
    with h5py.File(snapshot) as file:
        file.visititems(lambda _, item: sizes.append(item.nbytes) if isinstance(item, h5py.Dataset) else None)
    return sum(sizes)


def begin(folder, bed):
    """The job of some steps of the trench in FOLDER/begin, which ends with a checkpoint."""
    return job_chain.chain(common.ROOT / "configs/trench-1m.yaml", folder / "begin", 7200,
                           [f"bodies.bed.place.file={bed}", f"time.end={BEGINNING * DT}",
                            "output.snapshots={every: 0, start: false, end: false}"])[-1]


def go_on(folder, deflate):
    """Steps that go on from that checkpoint, each with a snapshot: the start, and medians of snapshots and of `dd`."""
    checkpoint = newest_checkpoint(folder / "begin")
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        output = pathlib.Path(scratch) / "run"
        start = time.perf_counter()
        process = subprocess.Popen([common.PROGRAM, "run", folder / "begin/run.yaml", "--restart", checkpoint, "--output", output,
                                    "--quiet", "--set", f"time.end={DT * (BEGINNING + STEPS)}", "--set",
                                    "output.checkpoints.end=false", "--set",
                                    f"output.snapshots={{every: {DT}, start: false, end: false, deflate: {str(deflate).lower()}}}"],
                                   env=common.environment())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != common.DONE:
            raise SystemExit(f"{checkpoint}: a run that goes on from it ended with status {process.returncode}")
        wall = time.perf_counter() - start
        steps = common.table(output)
        written = [step["seconds_output"] for step in steps[1:]]
        snapshots = list((output / "snapshots").glob("*.hdf"))
        last = written[-1] if len(snapshots) == STEPS else 0.0
        size = snapshots[0].stat().st_size
        rates = [dd_rate(output / f"zeros{i}", size) for i in range(STEPS)]
        return {"start_s": wall - sum(step["seconds_step"] for step in steps) - sum(written) - last, "peak": usage.ru_maxrss * 1024,
                "grains": steps[-1]["bodies"], "MB": size / 1e6, "numbers_MB": numbers_of(snapshots[0]) / 1e6,
                "s": statistics.median(written), "dd_MB_s": statistics.median(rates) / 1e6}


def rows(folder, bed):
    """The rows of the table."""
    job = begin(folder, bed)
    deflated, plain = (go_on(folder, deflate) for deflate in (True, False))
    return [
        figure("peak of a job that ends with a checkpoint, kB a grain", job.peak_bytes / 1e3 / plain["grains"], "at most 2.5"),
        peak_row("snapshots", deflated), peak_row("snapshots that are not deflated", plain),
        figure("checkpoint, MB", newest_checkpoint(folder / "begin").stat().st_size / 1e6),
        figure("start from it, s", min(deflated["start_s"], plain["start_s"]), "at most 15"),
        *snapshot_rows("snapshot", deflated), *snapshot_rows("snapshot that is not deflated", plain)]


def peak_row(name, measured):
    return figure(f"peak of a job that goes on from it with {name}, kB a grain", measured["peak"] / 1e3 / measured["grains"],
                  "at most 2.5")


def snapshot_rows(name, measured):
    rate = measured["MB"] / measured["s"]
    return [figure(f"{name}, MB", measured["MB"]), figure(f"{name}, s", measured["s"]),
            figure(f"{name}, MB/s of its numbers", measured["numbers_MB"] / measured["s"]),
            figure(f"dd of as much as a {name}, MB/s", measured["dd_MB_s"]),
            figure(f"{name}, rate of the file over dd's", rate / measured["dd_MB_s"], "at least 0.6")]
