#!/usr/bin/python3
"""The driver of run cases fails on what is not as expected: tried on made-up programs."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import run_case

PROGRAM = """#!/bin/sh
echo "it speaks" >&2
mkdir -p "$4/snapshots" && : > "$4/snapshots/a.hdf"
printf 'time,force,status\\n1,2,good\\n2,4,good\\n3,nan,good\\n' > "$4/steps.csv"
printf 'tool,force\\nfloor,1\\nwall,5\\nfloor,3\\n' > "$4/tools.csv"
exit 3
"""


class RunCase(unittest.TestCase):
    def faults(self, *lines):
        """What is wrong by these expectations, besides a status as it should be."""
        with tempfile.TemporaryDirectory() as folder:
            case = Path(folder)
            program = case / "program"
            program.write_text(PROGRAM)
            program.chmod(0o755)
            (case / "expected.txt").write_text("\n".join(("# ranks: 1", "status 3", *lines)))
            return run_case.run(case, str(program), [])[0]

    def test_what_holds(self):
        self.assertEqual([], self.faults(
            "says it speaks", "files snapshots/*.hdf = 1", "steps.csv last time = 3 +- 0",
            "steps.csv last2 mean time = 2.5 +- 1e-12", "tools.csv[floor] sum force = 4 +- 0",
            "tools.csv count force = 3 +- 0", "steps.csv max time <= 3", "steps.csv min time >= 1"))

    def test_what_does_not(self):
        for line in ["says it sings", "files *.hdf = 1", "steps.csv last time = 3.1 +- 0.01",
                     "steps.csv max time <= 2.9", "steps.csv min time >= 1.1",
                     "steps.csv last force = 0 +- 1e9", "steps.csv max status <= 1",
                     "steps.csv last absent = 0 +- 1", "steps.csv median time = 2 +- 1",
                     "tools.csv[roof] sum force = 4 +- 0", "gone.csv last time = 3 +- 0",
                     "steps.csv last time = 3", "steps.csv max time <= 3 +- 1", "status 0",
                     "any other line"]:
            with self.subTest(line=line):
                self.assertEqual(len(self.faults(line)), 1)

    def test_status_must_be_stated(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "expected.txt").write_text("# ranks: 1\n")
            with self.assertRaises(run_case.WrongCase):
                run_case.run(Path(folder), "/bin/true", [])


if __name__ == "__main__":
    unittest.main()
