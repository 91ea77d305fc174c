#!/usr/bin/python3
"""Force fields and fluids as a user meets them: what is refused, when, and with which words."""

import csv
import unittest

from cli import Cli, DONE, FAILED, GOOD, WRONG_INPUT

TRAP = GOOD + "forces:\n  trap: {force: [-2*x, -2*y, 0], per: mass}\n"
FLUID = "fluid: {viscosity: 0.5, density: 1000, velocity: [0.1*z, 0, 0]}\n"


class ForcesCli(Cli):

    def assert_refused(self, text, *says, ranks=1):
        """By check and run alike, with nothing written."""
        name = self.write(text)
        for command in ("check", "run"):
            with self.subTest(command=command):
                done = self.scree(command, name, ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, *says)
                self.assert_untouched(name)

    def test_bad_formulas_are_refused(self):
        self.assert_refused(TRAP.replace("-2*y", "-k*y"), "run.yaml:16: forces.trap.force: \"-k*y\": ",
                            "\"k\" at character 2 is unknown", "allowed: numbers, x, y, z, vx")
        self.assert_refused(TRAP.replace("-2*y", "-2*(y"), "a parenthesis is not closed")
        self.assert_refused(GOOD + FLUID.replace("0.1*z", "0.1*vz"), "fluid.velocity: \"0.1*vz\": ",
                            "\"vz\" at character 5 is unknown; allowed: numbers, x, y, z, t, pi")
        self.assert_refused(TRAP.replace(", per: mass", ", materials: [stoen]"),
                            "did you mean \"stone\"?")

    def test_no_value_at_the_start_is_refused(self):
        for ranks in (1, 2):
            self.assert_refused(TRAP.replace("-2*x", "1/x"), "forces.trap.force: \"1/x\" is inf for body ",
                                "at (0, 0, 0.", "at 0 s; it must have a finite value", ranks=ranks)

    def test_no_value_later_ends_the_run(self):
        name = self.write(TRAP.replace("-2*x", "1/(t - 0.005)"))
        for ranks in (1, 2):
            done = self.scree("run", name, "--set", "output.overwrite=true", ranks=ranks)
            self.assert_status(done, FAILED)
            self.assert_says(done, "step 6: forces.trap.force: \"1/(t - 0.005)\" is inf for body ",
                             "at 0.005 s")
            with open(self.folder / "output" / "two_stones" / "steps.csv") as file:
                self.assertEqual(len(list(csv.DictReader(file))), 5)

    def test_overdamped_runs_need_a_fluid_and_do_not_bounce(self):
        self.assert_refused(GOOD + "dynamics: overdamped\n", "dynamics: is overdamped, and nothing damps",
                            "allowed: a fluid")
        bouncing = (GOOD + FLUID + "dynamics: overdamped\n").replace("mu: 0.4", "mu: 0.4, restitution: 0.5")
        self.assert_refused(bouncing, "friction: has a restitution, but without inertia nothing bounces",
                            "allowed: restitution 0")

    def test_check_tells_of_them(self):
        done = self.scree("check", self.write(TRAP + FLUID + "dynamics: overdamped\n"))
        self.assert_status(done, DONE)
        self.assert_says(done, "dynamics    overdamped", "0.5 Pa s, 1000 kg/m^3, velocity [0.1*z, 0, 0]",
                         "trap: force [-2*x, -2*y, 0], torque [0, 0, 0] per mass")

    def test_the_effective_configuration_runs_again(self):
        self.assert_status(self.scree("run", self.write(TRAP + FLUID), "--output", "a"), DONE)
        self.assert_status(self.scree("run", "a/run.yaml", "--output", "b"), DONE)
        rows = [(self.folder / run / "tools.csv").read_text() for run in "ab"]
        self.assertEqual(rows[0], rows[1])


if __name__ == "__main__":
    unittest.main()
