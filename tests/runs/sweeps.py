"""What the tests of `scree sweep` share."""
import csv
import json
import subprocess
import time

from cli import PROGRAM, Cli

STOPPED = 3
PATIENCE = 300  # s, for what takes less than one on an idle machine


class SweepCli(Cli):
    """Starts sweeps, and looks at what they leave."""

    def alone(self):
        """Cases that run at once inherit it: in one place one would remove the folder that another is about to use."""
        return {}

    def results(self, folder="out"):
        with open(self.folder / folder / "results.csv") as file:
            return list(csv.DictReader(file))

    def begin(self, *arguments):
        """Starts a sweep and goes on."""
        child = subprocess.Popen([PROGRAM, "sweep", *arguments], cwd=self.folder, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(child.kill)
        self.addCleanup(child.stdout.close)
        return child

    def record(self, name, folder="out"):
        try:
            return json.loads((self.folder / folder / "cases" / f"{name}.json").read_text())
        except FileNotFoundError:
            return {"status": "waiting"}

    def wait_until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def statuses(self, folder="out"):
        return {path.stem: json.loads(path.read_text())["status"]
                for path in sorted((self.folder / folder / "cases").glob("*.json"))}

    def steps_of(self, name, folder="out"):
        with open(self.folder / folder / "runs" / name / "steps.csv") as file:
            return list(csv.DictReader(file))

    def rows(self, name):
        """How many steps a case has taken."""
        path = self.folder / "out/runs" / name / "steps.csv"
        return max(0, path.read_text().count("\n") - 1) if path.exists() else 0
