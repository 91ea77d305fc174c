"""Steps of large beds (tiles.py) on one core: short ones of grains that nearly touch, and long ones, whose margins make some
five potential contacts a grain, by sweeps or by the interior point method.
"""
import dataclasses
import json
import os
import pathlib
import subprocess

import common
import tiles


@dataclasses.dataclass(frozen=True)
class StepKind:
    dt: float  # s
    young: float  # Pa
    solver: dict  # its keys


@dataclasses.dataclass(frozen=True)
class Used:
    peak: int  # bytes
    cpu: float  # s
    page_faults: int


KINDS = {"short": StepKind(1e-3, tiles.YOUNG, {"method": "nsgs", "max_iterations": 8}),
         "long": StepKind(1.2e-2, tiles.SETTLING, {"method": "nsgs", "max_iterations": 50}),
         "ipm": StepKind(1.2e-2, tiles.SETTLING, {"method": "ipm", "max_iterations": 8, "friction": "associated",
                                                  "ipm": {"linear_solver": "cg", "matrix_free": True}})}
SWEEPS = ("short", "long")


def run(bed_run, folder):
    """What `scree run` used (peak bytes, processor seconds, pages taken from the system), and its steps."""
    file = pathlib.Path(folder) / "run.yaml"
    file.write_text(json.dumps(bed_run), encoding="utf-8")
    output = pathlib.Path(folder) / "run"
    process = subprocess.Popen([common.PROGRAM, "run", file, "--output", output, "--quiet"], env=common.environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != common.DONE:
        raise SystemExit(f"{bed_run['name']} ended with status {process.returncode}")
    steps = common.table(output)
    return Used(usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, usage.ru_minflt), steps


def config(folder, grains, name, steps):
    """A bed at rest of so many grains, for so many steps of a kind."""
    kind = KINDS[name]
    bed, sides = tiles.write(folder, grains)
    place = {"radii": {"type": "file"}, "place": {"type": "csv", "file": str(bed.resolve())}}
    solver = kind.solver | {"tolerance": 1e-12, "on_not_converged": "continue"}
    output = {"snapshots": {"start": False, "end": False}, "checkpoints": {"end": False}}
    bed_run = tiles.config(f"bed{grains}", kind.young, sides, place, steps * kind.dt, kind.dt, solver, output)
    return bed_run | {"debug": {"fclib": {"not_converged": 0}}}
