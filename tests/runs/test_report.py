#!/usr/bin/python3
"""The page that `scree report` makes of a run."""
import csv
import math
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
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

    def test_springs_pressed_far_are_told(self):
        soft = GOOD.replace("{density: 2600}", "{density: 2600, young_modulus: 1e4}")
        self.write(soft)
        done = self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=0.2")
        self.assert_status(done, DONE)
        self.assertEqual((done.stdout + done.stderr).count("contacts are too soft for their loads"), 1)
        with open(self.folder / "out/steps.csv", newline="", encoding="utf-8") as file:
            largest = max(float(row["compression"]) for row in csv.DictReader(file))
        self.assertGreater(largest, 0.05)
        self.assert_status(self.scree("report", "out"), DONE)
        self.assertIn(f"at most {largest:.1e} of a radius", (self.folder / "out/report.html").read_text())
        self.write()
        done = self.scree("run", "run.yaml", "--output", "rigid")
        self.assertNotIn("too soft", done.stdout + done.stderr)

    def test_energy_that_impacts_lose_since_steps_are_long_is_told_once(self):
        self.write("""
time: {dt: 1e-3, end: 4e-3}
gravity: [0, 0, 0]
impact: {law: energetic}
materials: {steel: {density: 7800}}
friction: [{between: [steel, steel], mu: 0, restitution: 1}]
bodies:
  ball: {material: steel, radii: {type: list, values: [0.05]}, velocity: [1, 0, 0], place: {type: points, positions: [[0.05, 0, 0]]}}
tools:
  left: {material: steel, shape: {type: plane}, normal: [1, 0, 0]}
  right: {material: steel, shape: {type: plane}, normal: [-1, 0, 0], position: [0.100001, 0, 0]}
""")
        done = self.scree("run", "run.yaml", "--output", "out")
        self.assert_status(done, DONE)
        lost = 0.5 * 7800 * 4 / 3 * math.pi * 0.05**3
        self.assertEqual((done.stdout + done.stderr).count(f"impacts lose {lost:.3g} J"), 1)
        self.assertEqual((done.stdout + done.stderr).count("impacts lose"), 1)
        with open(self.folder / "out/steps.csv", newline="", encoding="utf-8") as file:
            self.assertAlmostEqual(sum(float(row["impact_lost_in_gaps"]) for row in csv.DictReader(file)), lost, places=9)

    def test_of_a_run_without_a_step(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        lines = (self.folder / "out/steps.csv").read_text().splitlines()
        (self.folder / "out/steps.csv").write_text(lines[0] + "\n")
        self.assert_status(self.scree("report", "out", "--output", "page.html"), DONE)
        self.assertIn("No step has been taken", (self.folder / "page.html").read_text())

    def test_of_a_run_whose_table_does_not_tell_the_worst_contact(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "solver.max_iterations=1",
                                      "--set", "solver.on_not_converged=continue", "--set", "solver.method=pgj"), DONE)
        table = self.folder / "out/steps.csv"
        rows = list(csv.DictReader(table.read_text().splitlines()))
        with table.open("w", newline="") as file:
            old = csv.DictWriter(file, [name for name in rows[0] if not name.startswith("worst_")], extrasaction="ignore")
            old.writeheader()
            old.writerows(rows)
        self.assert_status(self.scree("report", "out"), DONE)
        self.assertIn("<td>pgj:iteration-limit</td><td></td>", (self.folder / "out/report.html").read_text())
        done = subprocess.run([str(ROOT / "scripts" / "summary"), "out"], cwd=self.folder, capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"step 1 at 0.001 s: iteration.limit, residual \S+\n")

    def test_of_some_steps(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--set", "output.csv.every=3"), DONE)
        self.assert_status(self.scree("report", "out"), DONE)
        page = (self.folder / "out/report.html").read_text()
        self.assertIn("0.01 s of 0.01 s in 10 steps", page)
        self.assertIn("4 of these steps; all that follows is of them", page)

    def test_of_a_run_whose_inputs_are_gone_and_whose_snapshot_is_torn(self):
        self.write(GOOD.replace("radii: {type: list, values: [0.05]}", "radii: {type: file}").replace(
            "place: {type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}", "place: {type: csv, file: grains.csv}"))
        self.write("x,y,z,r\n0,0,0.05,0.05\n0,0,0.15,0.05\n", "grains.csv")
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        (self.folder / "grains.csv").unlink()
        last = sorted((self.folder / "out/snapshots").iterdir())[-1]
        last.write_bytes(last.read_bytes()[:100])
        self.assert_status(self.scree("report", "out"), DONE)
        page = (self.folder / "out/report.html").read_text()
        self.assertIn(f"<p>{last.relative_to(self.folder)}", page.replace(str(self.folder) + "/", ""))
        self.assertNotIn("<circle", page)

    def test_nothing_but_a_page_is_replaced(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        before = (self.folder / "out/steps.csv").read_bytes()
        for output in ("out/steps.csv", "out", "/dev/null"):
            done = self.scree("report", "out", "--output", output)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, f"--output: {output} exists and is no page of a report")
        self.assertEqual((self.folder / "out/steps.csv").read_bytes(), before)
        for _ in range(2):
            self.assert_status(self.scree("report", "out", "--output", "page.html"), DONE)

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
