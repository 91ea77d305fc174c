"""Seconds of a start and of snapshots, from some steps that go on from the newest checkpoint, and what `dd` writes there."""
import pathlib
import re
import subprocess
import tempfile
import time

import h5py

import common

DT = 2e-3  # s, of configs/trench-1m.yaml
STEPS = 2  # the first has a snapshot whose time the second tells
DD_BYTES = 2**20  # a block


def newest_checkpoint(run):
    return max((run / "checkpoints").glob("*.h5"), key=lambda file: file.stat().st_mtime)


def dd_rate(folder, size):
    """Bytes a second of so many zeros written to a file there, until they are on the disk."""
    file = pathlib.Path(folder) / "zeros"
    start = time.perf_counter()
    subprocess.run(["dd", "if=/dev/zero", f"of={file}", f"bs={DD_BYTES}", f"count={size // DD_BYTES}", "conv=fsync"], check=True,
                   stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    file.unlink()
    return size // DD_BYTES * DD_BYTES / seconds


def numbers_of(snapshot):
    """Bytes of the numbers in a snapshot, as they are before they are deflated."""
    sizes = []
    with h5py.File(snapshot) as file:
        file.visititems(lambda _, item: sizes.append(item.nbytes) if isinstance(item, h5py.Dataset) else None)
    return sum(sizes)


def go_on(folder, deflate):
    """Steps of the run in FOLDER/trench, each with a snapshot: what the start, a snapshot and `dd` take, the fastest of each."""
    checkpoint = newest_checkpoint(folder / "trench")
    end = DT * (int(re.search(r"\d+", checkpoint.name)[0]) + STEPS)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        output = pathlib.Path(scratch) / "run"
        start = time.perf_counter()
        subprocess.run([common.PROGRAM, "run", folder / "trench/run.yaml", "--restart", checkpoint, "--output", output, "--quiet",
                        "--set", f"time.end={end}", "--set", "output.checkpoints.end=false", "--set",
                        f"output.snapshots={{every: {DT}, start: false, end: false, deflate: {str(deflate).lower()}}}"],
                       check=True, env=common.environment())
        wall = time.perf_counter() - start
        steps = common.table(output)
        snapshot = next((output / "snapshots").glob("*.hdf"))
        written = [step["seconds_output"] for step in steps[1:]]
        last = written[-1] if len(list((output / "snapshots").glob("*.hdf"))) == STEPS else 0.0
        return {"start_s": wall - sum(step["seconds_step"] for step in steps) - sum(written) - last,
                "MB": snapshot.stat().st_size / 1e6, "numbers_MB": numbers_of(snapshot) / 1e6, "s": min(written),
                "dd_MB_s": max(dd_rate(scratch, snapshot.stat().st_size) for _ in range(STEPS)) / 1e6}
