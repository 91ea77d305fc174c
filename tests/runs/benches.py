"""The tests of the scripts in scripts/bench run them by this."""
import csv
import os
import subprocess
from pathlib import Path

from cli import DONE, PATIENCE

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


class Benches:
    """Beside cli.Cli in a class of tests."""

    def bench(self, name, *arguments):
        done = subprocess.run([BENCH / "run", name, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE)
        self.assert_status(done, DONE)
        return done

    def bench_again(self, name, *arguments):
        """From what was kept alone: no solve is possible."""
        done = subprocess.run([BENCH / "run", name, *map(str, arguments)], cwd=self.folder,
                              capture_output=True, text=True, timeout=PATIENCE,
                              env=dict(os.environ, SCREE_PROGRAM=str(self.folder / "no-such-program")))
        self.assert_status(done, DONE)

    def table(self, name):
        with open(self.folder / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
