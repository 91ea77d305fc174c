#!/usr/bin/python3
"""The page that `scree report` makes of a run."""
import re
import sys
import unittest
import xml.etree.ElementTree as ET

sys.dont_write_bytecode = True
from cli import DONE, GOOD, WRONG_INPUT, Cli


class Report(Cli):
    def test_a_run_on_a_page(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "solver.max_iterations=1",
                                      "--set", "solver.on_not_converged=continue", "--set", "solver.method=pgj"), DONE)
        done = self.scree("report", "out", ranks=2)
        self.assert_status(done, DONE)
        self.assertEqual(done.stdout, "out/report.html\n")
        page = (self.folder / "out/report.html").read_text()
        ET.fromstring(re.sub(r"<(meta[^>]*)>", r"<\1/>", page.split("\n", 1)[1]))  # every element is closed
        for words in ["<h1>two_stones</h1>", "0.01 s of 0.01 s in 10 steps", "Grains at 0.01 s", "Steps that were not solved: ",
                      "force of the grains on floor, N", "Where time went", "density: 2600"]:
            self.assertIn(words, page)
        self.assertEqual(page.count("<circle"), 2)
        self.assertNotIn("http", page)  # it needs nothing else

    def test_of_a_run_without_a_step(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        lines = (self.folder / "out/steps.csv").read_text().splitlines()
        (self.folder / "out/steps.csv").write_text(lines[0] + "\n")
        self.assert_status(self.scree("report", "out", "--output", "page.html"), DONE)
        self.assertIn("No step has been taken", (self.folder / "page.html").read_text())

    def test_what_is_no_run_is_refused(self):
        self.write()
        (self.folder / "empty").mkdir()
        for folder in ("empty", "absent"):
            done = self.scree("report", folder)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, f"{folder}: is no folder of a run: it has no run.yaml")
        self.assert_untouched("empty", "run.yaml")


if __name__ == "__main__":
    unittest.main()
