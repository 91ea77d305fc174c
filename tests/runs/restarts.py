"""What the tests of restarts share: a run, ways to start and to watch it, and comparisons of folders.

The run takes some tenths of a second on one rank, where it is bit for bit the same each time, so that
files can be compared as they are.
"""
import csv
import subprocess
import time

from cli import MPIRUN, PROGRAM

STOPPED = 3
STEP = 2e-3  # seconds
STEPS = 60
ENDLESS = ("--set", "time.end=1000")  # for runs that are to be stopped, however fast the machine

BED = """\
name: bed
time: {dt: 2e-3, end: 0.12}
keep_inside: {low: [0.01, -1, -1], high: [1, 1, 1]}
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  bed:
    material: stone
    radii: {type: uniform, min: 0.01, max: 0.02}
    place: {type: box, low: [0, 0, 0], high: [0.2, 0.2, 0.3], count: 120, seed: 3}
    velocity: [-0.3, 0.1, -1.0]
tools:
  floor: {material: stone, shape: {type: plane}}
  right: {material: stone, shape: {type: plane}, position: [0.2, 0, 0], normal: [-1, 0, 0]}
  front: {material: stone, shape: {type: plane}, normal: [0, 1, 0]}
  blade:
    material: stone
    shape: {type: box, size: [0.02, 0.1, 0.1]}
    position: [0.15, 0.1, 0.06]
    motion: {type: velocity, velocity: [-0.5, 0, 0], start: 0.01, stop: 0.12}  # later it wedges grains
output:
  snapshots: {every: 0.03}
  checkpoints: {every: 0.02, wall_every: 0, keep: 3}
"""


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Restarts:
    """The bed, runs that can be signalled, and comparisons of folders."""

    def bed(self, **changes):
        text = BED
        for before, after in changes.items():
            text = text.replace(before, after)
        return self.write(text, "bed.yaml")

    def start(self, *arguments, ranks=1, out="out"):
        launcher = [] if ranks == 1 else [*MPIRUN, "-n", str(ranks)]
        process = subprocess.Popen([*launcher, PROGRAM, "run", "bed.yaml", "--output", out, *arguments],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        return process

    def run_bed(self, *arguments, ranks=1, out="out"):
        return self.scree("run", "bed.yaml", "--output", out, *arguments, ranks=ranks)

    def wait_for_rows(self, count, out="out"):
        path = self.folder / out / "steps.csv"
        for _ in range(3000):
            if path.is_file() and path.read_text().count("\n") > count:
                return
            time.sleep(0.01)
        self.fail(f"no {count} rows in a long time")

    def checkpoints(self, out="out"):
        return sorted((self.folder / out / "checkpoints").iterdir())

    def assert_whole(self, out="out", steps=STEPS):
        """No gap and no repeat in the tables, the index and the snapshots."""
        folder = self.folder / out
        self.assertEqual([int(row["step"]) for row in rows(folder / "steps.csv")],
                         list(range(1, steps + 1)))
        names = ["floor", "right", "front", "blade"]
        self.assertEqual([(int(row["step"]), row["tool"]) for row in rows(folder / "tools.csv")],
                         [(step, name) for step in range(1, steps + 1) for name in names])
        snapshots = sorted(f.name for f in (folder / "snapshots").iterdir())
        index = (folder / "run.xdmf").read_text()
        named = [part.split(":")[0] for part in index.split("snapshots/")[1:]]
        self.assertEqual(sorted(set(named)), snapshots)
        self.assertEqual(list(dict.fromkeys(named)), snapshots)
        self.assertEqual(index.count("<Time "), len(snapshots))
        self.assertEqual([f for f in folder.rglob("*.part")], [])

    def assert_same(self, one, other):
        """Both folders hold the same run, bit for bit but for what the clock gives."""
        a, b = self.folder / one, self.folder / other
        self.assertEqual((a / "tools.csv").read_text(), (b / "tools.csv").read_text())
        self.assertEqual((a / "run.xdmf").read_text(), (b / "run.xdmf").read_text())

        def timeless(path):
            return [{k: v for k, v in row.items() if not k.startswith("seconds_")}
                    for row in rows(path)]
        self.assertEqual(timeless(a / "steps.csv"), timeless(b / "steps.csv"))
