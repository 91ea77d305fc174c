"""Runs scripts by ParaView's pvbatch, with a display to draw on."""

import os
import shutil
import subprocess

ATTEMPTS = 3  # on a busy machine a display may be late
SECONDS = 600


def command():
    """How to start pvbatch so that it can draw; None where it cannot."""
    program = shutil.which("pvbatch")
    if program is None:
        return None
    if os.environ.get("DISPLAY"):
        return [program]
    xvfb = shutil.which("xvfb-run")
    # Xvfb would begin anew when a client leaves, and pvbatch, which comes several times, abort where it comes meanwhile.
    return None if xvfb is None else [xvfb, "-a", "--server-args=-screen 0 1280x1024x24 -noreset", program]


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
