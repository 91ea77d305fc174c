#!/usr/bin/python3
"""Runs in stages, and motions that wait: the log, the tables, restarts, refusals."""
import sys
import unittest

sys.dont_write_bytecode = True
from cli import DONE, WRONG_INPUT, Cli
from restarts import BED, STEP, Restarts, rows

STAGES = """\
stages:
  - name: settle
    until: {duration: 0.02, kinetic_energy_below: 1.0e+3}
  - name: draw
    set:
      tools.blade.motion: {type: velocity, velocity: [-0.2, 0, 0], stop_when: {duration: 0.03}}
      gravity: [0, 0, -5]
    until: {tools: [{tool: blade, quantity: position_x, below: 0.1449}]}
  - name: rest
"""


GATE = """\
time: {dt: 1.0e-3, end: 0.04}
materials: {steel: {density: 7800}}
tools:
  gate: {material: steel, shape: {type: box, size: [0.1, 0.1, 0.1]}, motion: {type: velocity, velocity: [1, 0, 0], stop_when: {duration: 0.01}}}
  weight: {material: steel, shape: {type: sphere, radius: 0.1}, position: [5, 0, 0], motion: {type: load}}
output: {snapshots: {start: false}, checkpoints: {every: 0.02}}
"""

CELLS = """\
time: {dt: 2.0e-3, end: 0.01}
dynamics: overdamped
gravity: [0, 0, 0]
fluid: {drag: local, viscosity: 1}
materials: {cell: {density: 1}}
friction: [{between: [cell, cell], mu: 0}]
periodic: {x: [-6, 6]}
bodies:
  cells: {material: cell, shape: {type: capsule, radius: 0.25, length: 1.5}, place: {type: points, positions: [[0, 0, 0]]}}
growth:
  cells: {groups: [cells], rate: 1, division_length: 4}
stages:
  - {name: short, until: {duration: 0.004}}
  - {name: long, set: {growth.cells.division_length: 10}}
"""


class Staged(Restarts):
    def staged(self, stages=STAGES):
        """The bed, whose blade stands still until a stage moves it."""
        text = BED.replace("    motion: {type: velocity, velocity: [-0.5, 0, 0], start: 0.01, stop: 0.12}  # later it wedges grains\n", "")
        self.assertNotEqual(text, BED)
        return self.write(text + stages, "bed.yaml")

    def log(self, out="out"):
        return (self.folder / out / "run.log").read_text()

    def stages_of_steps(self, out="out"):
        return [int(row["stage"]) for row in rows(self.folder / out / "steps.csv")]


class StagesCli(Staged, Cli):
    def test_each_step_tells_its_stage_and_the_log_what_it_sets(self):
        self.staged()
        self.assert_status(self.run_bed(), DONE)
        # 0.02 s are 10 steps; the blade passes 0.1449 m 13 steps of 0.4 mm later.
        self.assertEqual(self.stages_of_steps(), [1] * 10 + [2] * 13 + [3] * 37)
        for text in ("0.02 s: stage 1 of 3 (settle) ends: after 0.02 s, kinetic energy below 1000 J",
                     "stage 2 of 3 (draw) begins", "sets gravity: [0, 0, -5]",
                     "0.046 s: stage 2 of 3 (draw) ends: position_x of blade below 0.1449 m",
                     "stage 3 of 3 (rest) begins",
                     "0.05 s: tools.blade.motion.stop_when: after 0.03 s"):
            self.assertIn(text, self.log())
        blade = {int(row["step"]): float(row["position_x"]) for row in
                 rows(self.folder / "out/tools.csv") if row["tool"] == "blade"}
        self.assertEqual(blade[10], 0.15)
        self.assertAlmostEqual(blade[25], 0.15 - 15 * STEP * 0.2, delta=1e-12)
        self.assertEqual(blade[60], blade[25])
        self.assertNotIn(" did not ", self.log())

    def test_a_run_that_is_stopped_goes_on_in_its_stage(self):
        # The first stage ends at step 10, the second after step 20 and before 30.
        self.staged()
        still = ("--set", "output.snapshots.end=false")
        self.assert_status(self.run_bed(*still, out="whole"), DONE)
        for step in (10, 20, 30):
            with self.subTest(step=step):
                out = f"again_{step}"
                end = ("--set", f"time.end={step * STEP}")
                self.assert_status(self.run_bed(*still, *end, out=out), DONE)
                self.assert_status(self.run_bed("--restart", "latest", *still, out=out), DONE)
                self.assert_same("whole", out)
                self.assertIn(f"in stage {2 if step < 23 else 3} of 3", self.log(out))

    def test_ranks_have_the_same_stages_and_the_effective_configuration_is_the_same_run(self):
        self.staged()
        self.assert_status(self.run_bed(out="one"), DONE)
        self.assert_status(self.run_bed(ranks=2, out="two"), DONE)
        self.assertEqual(self.stages_of_steps("one"), self.stages_of_steps("two"))
        (self.folder / "bed.yaml").write_text((self.folder / "one/run.yaml").read_text())
        self.assert_status(self.run_bed(out="again"), DONE)
        self.assert_same("one", "again")

    def test_the_last_stage_may_end_the_run(self):
        self.staged(STAGES.replace("- name: rest", "- {name: rest, until: {duration: 0.01}}"))
        self.assert_status(self.run_bed(), DONE)
        self.assertEqual(self.stages_of_steps(), [1] * 10 + [2] * 13 + [3] * 5)
        self.assertTrue(self.checkpoints()[-1].name.endswith("_00000028.h5"), "the last step has a checkpoint")
        done = self.run_bed("--restart", "latest")
        self.assert_status(done, DONE)
        self.assert_says(done, "nothing is left to do: the last stage has ended")
        self.assertEqual(len(self.stages_of_steps()), 28)

    def test_what_never_came_is_named(self):
        self.staged(STAGES.replace("0.1449", "0.05"))
        done = self.run_bed()
        self.assert_status(done, DONE)
        self.assert_says(done, "warning: stage 2 of 3 (draw) did not end: position_x of blade below 0.05 m; make time.end later",
                         "warning: stage 3 of 3 (rest) did not begin")
        self.assertNotIn("stop_when did not come", self.log())

    def test_an_event_of_a_motion_that_never_came_is_named(self):
        self.staged("")
        done = self.run_bed("--set", "tools.blade.motion={type: velocity, velocity: [1, 0, 0], start_when: {time_after: 5}, stop_when: {duration: 1}}")
        self.assert_status(done, DONE)
        self.assert_says(done, "warning: tools.blade.motion.start_when did not come: not before 5 s",
                         "warning: tools.blade.motion.stop_when did not come")

    def test_a_mistake_in_a_later_stage_is_refused_and_nothing_written(self):
        run, check = ["run", "bed.yaml", "--output", "out"], ["check", "bed.yaml"]
        for before, after, message in (
                ("gravity: [0, 0, -5]", "gravitty: [0, 0, -5]", 'bed.yaml:31: gravitty: unknown key; did you mean "gravity"?'),
                ("gravity: [0, 0, -5]", "time.dt: 1.0e-3", "bed.yaml:31: time.dt: no stage may change it"),
                ("tool: blade,", "tool: plough,", 'stages.1.until.tools.0.tool: "plough" is none of the tools'),
                ("type: velocity, velocity: [-0.2, 0, 0]", "type: table, times: [0, 1], displacements: [[1, 0, 0], [2, 0, 0]]",
                 "tools.blade.motion: begins 1 m and 0 rad away from where the tool is")):
            with self.subTest(after):
                self.assertIn(before, STAGES)
                self.staged(STAGES.replace(before, after))
                for command in (run, check) if "plough" in message else (run, ):
                    done = self.scree(*command)
                    self.assert_status(done, WRONG_INPUT)
                    self.assert_says(done, message, 'in the stage "draw"' if "plough" not in message else "")
                    self.assert_untouched("bed.yaml")

    def test_loads_of_a_later_stage_without_a_value_are_refused(self):
        load = GATE + "stages:\n  - {name: one, until: {duration: 0.01}}\n  - {name: two, set: {tools.weight.motion: {type: load, %s}}}\n"
        field = BED + "forces:\n  wind: {force: [\"0\", \"0\", \"0\"], torque: [\"1\", \"0\", \"0\"]}\nstages:\n" \
            "  - {name: one, until: {duration: 0.01}}\n  - {name: two, set: {forces.wind.force: [\"%s\", \"0\", \"0\"]}}\n"
        for text, words in (
                (load % 'force: [0, 0, "1/t"]', ["tools.weight.motion.force", "inf at 0 s", 'in the stage "two"']),
                (load % 'force: [0, 0, "1/t"], start_when: {duration: 0.01}', ["tools.weight.motion.force", 'in the stage "two"']),
                (field % "log(-1-x^2)", ["forces.wind.force", "nor has it one at any of 10000 other places", 'in the stage "two"']),
                (GATE.replace("motion: {type: load}", 'motion: {type: load, force: [0, 0, "1/t"], start_when: {time_after: 0.03}}'),
                 ["tools.weight.motion.force", "inf at 0 s"])):
            self.write(text)
            run, check = ["run", "run.yaml", "--output", "out"], ["check", "run.yaml"]
            for command in (run, check) if "inf at 0 s" in words else (run, ):
                with self.subTest(words=words, command=command):
                    done = self.scree(*command)
                    self.assert_status(done, WRONG_INPUT)
                    self.assert_says(done, *words)
                    self.assertFalse((self.folder / "out").exists())
        for text in (load % 'force: [0, 0, "sqrt(t)"]', field % "sqrt(0.3-z)", field % "1/vz"):
            self.write(text)
            self.assert_status(self.scree("check", "run.yaml"), DONE)

    def test_a_motion_that_is_over_may_be_given_anew_at_a_restart(self):
        self.write(GATE)
        self.assert_status(self.scree("run", "run.yaml", "--output", "out", "--quiet"), DONE)
        first = sorted((self.folder / "out/checkpoints").glob("*.h5"))[0]
        def place(folder):
            return [float(row["position_x"]) for row in rows(self.folder / folder / "tools.csv") if row["tool"] == "gate"][-1]
        self.assertAlmostEqual(place("out"), 0.01, delta=1e-12)
        again = ("--restart", str(first), "--quiet")
        self.assert_status(self.scree("run", "run.yaml", "--output", "same", *again, "--set", "gravity=[0, 0, -5]"), DONE)
        self.assertAlmostEqual(place("same"), 0.01, delta=1e-12)
        self.assert_status(self.scree("run", "run.yaml", "--output", "back", *again, "--set",
                                      "tools.gate.motion={type: velocity, velocity: [-2, 0, 0], stop_when: {duration: 0.005}}"), DONE)
        self.assertAlmostEqual(place("back"), 0.01 - 2 * 0.005, delta=1e-12)
        jumps = self.scree("run", "run.yaml", "--output", "jumps", *again, "--set",
                           "tools.gate.motion={type: table, times: [0, 1], displacements: [[1, 0, 0], [2, 0, 0]]}")
        self.assert_status(jumps, WRONG_INPUT)
        self.assert_says(jumps, "tools.gate.motion: begins 1 m and 0 rad away from where the tool is")
        self.assertFalse((self.folder / "jumps").exists())

    def test_growth_of_a_later_stage_is_refused_in_a_narrow_cell(self):
        self.write(CELLS)
        for command in (["run", "run.yaml", "--output", "out"], ["check", "run.yaml"]):
            done = self.scree(*command)
            self.assert_status(done, WRONG_INPUT)
            self.assert_says(done, "periodic.x: its period of 12 m is less than", 'in the stage "long"')
            self.assertFalse((self.folder / "out").exists())

    def test_what_runs_first_is_described(self):
        self.write(GATE + "stages:\n  - {name: one, set: {gravity: [0, 0, -5]}}\n")
        done = self.scree("check", "run.yaml")
        self.assert_status(done, DONE)
        self.assert_says(done, "gravity     [0, 0, -5] m/s^2", "one: until the end; sets gravity")

    def test_check_lists_the_stages(self):
        self.staged()
        done = self.scree("check", "bed.yaml")
        self.assert_status(done, DONE)
        self.assert_says(done, "draw: until position_x of blade below 0.1449 m; sets tools.blade.motion, gravity", "rest: until the end")


if __name__ == "__main__":
    unittest.main()
