"""Kills a run again and again at random moments, and lets it go on each time.

    scripts/bench/run kill [--kills 20] [--ranks 2] [--seed 1] [--out FOLDER]

SIGKILL goes to the ranks at moments drawn evenly from the start on, so also while they start, read or
write checkpoints, which are due after every few steps. After each kill `--restart latest` goes on; what
it cannot is counted as a failure. At the end the tables must have each step once, and on one rank be
those of a run that was never killed.
"""
import argparse
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import common

CONFIG = """\
name: kill
time: {dt: 2e-3, end: 1.2}
materials: {stone: {density: 2600}}
friction: [{between: [stone, stone], mu: 0.4}]
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.24, 0.24, 0.4], count: 300, seed: 3}
    velocity: [0.3, 0.1, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}}
  left: {material: stone, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: stone, shape: {type: plane}, position: [0.24, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  back: {material: stone, shape: {type: plane}, position: [0, 0.24, 0], normal: [0, -1, 0]}
solver: {tolerance: 1e-3, on_not_converged: warn, max_iterations: 200}
output:
  snapshots: {every: 0.02}
  checkpoints: {every: 0.008, keep: 3}
"""
STEPS = 600
TOOLS = 5


def start(config, folder, ranks):
    launcher = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    command = [*launcher, str(common.PROGRAM), "run", str(config), "--output", str(folder),
               "--restart", "latest"]
    return subprocess.Popen(command, env=common.environment(), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def kill(process, ranks):
    """SIGKILL to every rank, or to the one process. Whether there was still one."""
    alive = process.poll() is None
    if ranks > 1:
        found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True)
        for child in found.stdout.split():
            subprocess.run(["kill", "-9", child], stderr=subprocess.DEVNULL)
    else:
        process.send_signal(signal.SIGKILL)
    text = process.communicate(timeout=60)[0]
    return alive, text


def check_tables(folder):
    steps = [int(row["step"]) for row in common.table(folder)]
    if steps != list(range(1, STEPS + 1)):
        return f"steps.csv has {len(steps)} rows of {len(set(steps))} steps"
    tools = [int(row["step"]) for row in common.table(folder, "tools")]
    if tools != [step for step in range(1, STEPS + 1) for _ in range(TOOLS)]:
        return f"tools.csv has {len(tools)} rows of {len(set(tools))} steps"
    index = (folder / "run.xdmf").read_text()
    named = [part.split(":")[0] for part in index.split("snapshots/")[1:]]
    files = sorted(file.name for file in (folder / "snapshots").iterdir())
    if list(dict.fromkeys(named)) != files or index.count("<Time ") != len(files):
        return f"run.xdmf names {len(set(named))} snapshots, of {len(files)}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    out = arguments.out or pathlib.Path(tempfile.mkdtemp(prefix="scree-kill-"))
    out.mkdir(parents=True, exist_ok=True)
    config = out / "kill.yaml"
    config.write_text(CONFIG)
    for name in ("whole", "killed"):
        shutil.rmtree(out / name, ignore_errors=True)
    began = time.perf_counter()
    whole = start(config, out / "whole", arguments.ranks)
    table = out / "whole" / "steps.csv"
    while whole.poll() is None and not (table.is_file() and table.stat().st_size > 1000):
        time.sleep(0.01)
    start_up = time.perf_counter() - began
    if whole.wait() != 0:
        sys.exit(whole.stdout.read())
    length = time.perf_counter() - began
    # So long that the kills are spread over the run, and none is likely to come after its end.
    window = start_up + 2 * (length - start_up) / arguments.kills
    moments = random.Random(arguments.seed)
    kills = refusals = tries = 0
    while kills < arguments.kills and tries < 3 * arguments.kills:
        tries += 1
        process = start(config, out / "killed", arguments.ranks)
        time.sleep(moments.uniform(0.0, window))
        alive, text = kill(process, arguments.ranks)
        kills += alive
        if process.returncode in (1, 2):  # its own judgement; 0: it was at its end
            refusals += "killed" not in text and "signal 9" not in text
        told = [line for line in text.splitlines() if "going on from" in line or "anew" in line]
        print(f"kill {kills}: {told[0].split('/')[-1] if told else 'before its first word'}")
    end = start(config, out / "killed", arguments.ranks)
    text = end.communicate()[0]
    fault = text if end.returncode != 0 else check_tables(out / "killed")
    same = (out / "whole/tools.csv").read_text() == (out / "killed/tools.csv").read_text()
    if not fault and arguments.ranks == 1 and not same:
        fault = "tools.csv is not that of the run that was not killed"
    print(f"{kills} kills, {refusals} restarts refused, the whole run takes {length:.1f} s; "
          f"tools.csv {'is' if same else 'is not'} bit for bit that of the whole run")
    print(fault or "the run went on after each kill to its end, tables and index whole")
    sys.exit(1 if fault or refusals else 0)


if __name__ == "__main__":
    main()
