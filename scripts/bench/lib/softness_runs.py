"""What the parts of scripts/bench/compliance share: runs whose end is part of what is measured, and their words."""
import os
import pathlib
import subprocess

import common

SETTLE = common.ROOT / "configs" / "settle.yaml"
TRENCH = common.ROOT / "configs" / "trench.yaml"
FAILED = 1  # a run that ends because a grain is wedged between rigid tools


def name_of(young):
    """Of a Young's modulus in a table; none: rigid."""
    return f"{young:.0e}".replace("e+0", "e").replace("e+", "e") if young else "rigid"


def timed(command, **keys):
    """Runs a program on one core: (exit status, processor seconds, what it said on stderr)."""
    process = subprocess.Popen([str(word) for word in command], env=common.environment(), stderr=subprocess.PIPE, text=True,
                               **keys)
    with process.stderr:
        errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime, errors


def run(config, output, overrides=(), wall_limit=None, may_fail=False):
    """A run of scree: (processor seconds, the last line of its message where it failed).

    With @p may_fail a run that scree itself ends (status 1) is a result; what it wrote stays.
    """
    command = [common.PROGRAM, "run", config, "--output", output, "--quiet"]
    if wall_limit:
        command += ["--wall-limit", wall_limit]
    for override in overrides:
        command += ["--set", override]
    status, seconds, errors = timed(command)
    allowed = [common.DONE] + [common.STOPPED] * bool(wall_limit) + [FAILED] * may_fail
    if status not in allowed:
        raise SystemExit(f"{' '.join(map(str, command))}\nended with status {status}:\n{errors}")
    return seconds, (errors.strip().splitlines() or [""])[-1] if status == FAILED else ""


def updates(steps):
    """Contact updates of a run: iterations of the method that gave each step's impulses, times contacts."""
    return sum(s["iterations"] * s["contacts"] for s in steps)


def unsolved(steps):
    return sum(s["status"] != "converged" for s in steps)


def folder_of(runs, name):
    path = pathlib.Path(runs) / name
    path.mkdir(parents=True, exist_ok=True)
    return path
