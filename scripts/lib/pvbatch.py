"""Runs scripts by ParaView's pvbatch, with a display to draw on."""

import os
import shutil
import subprocess

ATTEMPTS = 5  # pvbatch 5.11 aborts now and then when it opens its window
SECONDS = 600


def command():
    """How to start pvbatch so that it can draw; None where it cannot."""
    program = shutil.which("pvbatch")
    if program is None:
        return None
    if os.environ.get("DISPLAY"):
        return [program]
    xvfb = shutil.which("xvfb-run")
    return None if xvfb is None else [xvfb, "-a", program]


def run(script, arguments, output, environment=None):
    """Has pvbatch run the script, which is to write the file `output`. Why it did not; None where it did."""
    start = command()
    if start is None:
        return "pvbatch, or a display and xvfb-run, is not installed"
    # A clean environment: pvbatch must not take itself for a rank of a caller's MPI job.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
    reason = None
    for _ in range(ATTEMPTS):
        try:
            done = subprocess.run([*start, script, *map(str, arguments)], env={**clean, **(environment or {})},
                                  capture_output=True, text=True, timeout=SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if done.returncode == 0 and os.path.exists(output):
            return None
        reason = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
    return reason
