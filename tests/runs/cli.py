"""What the tests of the command line share. SCREE_PROGRAM is the executable, SCREE_MPIRUN the words that
start it on several ranks.
"""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ.get("SCREE_PROGRAM", "scree")
MPIRUN = os.environ.get("SCREE_MPIRUN", "mpirun").split()

DONE, FAILED, WRONG_INPUT = 0, 1, 2

PATIENCE = 600  # s: what takes longer hangs; a busy machine is ten times slower

GOOD = """\
name: two_stones
time: {dt: 1e-3, end: 0.01}
gravity: [0, 0, -9.81]
materials:
  stone: {density: 2600}
friction:
  - {between: [stone, stone], mu: 0.4}
bodies:
  stones:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}
tools:
  floor: {material: stone, shape: {type: plane}, position: [0, 0, 0], normal: [0, 0, 1]}
"""


class Cli(unittest.TestCase):
    """Starts the program in an empty folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text=GOOD, name="run.yaml"):
        (self.folder / name).write_text(text)
        return name

    def scree(self, *arguments, ranks=1):
        launcher = [] if ranks == 1 else [*MPIRUN, "-n", str(ranks)]
        return subprocess.run([*launcher, PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)

    def assert_status(self, done, status):
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)

    def assert_says(self, done, *texts):
        for text in texts:
            self.assertIn(text, done.stdout + done.stderr)

    def assert_untouched(self, *names):
        """The folder holds the files that the test wrote and no others."""
        self.assertEqual(sorted(f.name for f in self.folder.iterdir()), sorted(names))
