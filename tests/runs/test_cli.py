#!/usr/bin/python3
"""The command line as a user meets it: exit statuses, messages, and that wrong input writes nothing."""
import json
import os
import re
import resource
import subprocess
import sys
import unittest
import unittest.mock
from pathlib import Path

import h5py

sys.dont_write_bytecode = True
from cli import DONE, FAILED, GOOD, PATIENCE, PROGRAM, WRONG_INPUT, Cli

COMMANDS = ["run", "check", "solve", "info", "report", "schema"]


class Usage(Cli):
    def test_help(self):
        done = self.scree("--help")
        self.assert_status(done, DONE)
        self.assert_says(done, *COMMANDS)
        for command in COMMANDS:
            with self.subTest(command=command):
                self.assert_status(self.scree(command, "--help"), DONE)

    def test_wrong_words(self):
        for words in [[], ["walk"], *([command] for command in COMMANDS if command != "schema"),
                      ["solve", "a.hdf5", "--fast"]]:
            with self.subTest(words=words):
                done = self.scree(*words)
                self.assert_status(done, WRONG_INPUT)
                self.assertNotEqual(done.stderr.strip(), "")

    def test_help_says_defaults_and_exit_statuses(self):
        self.assert_says(self.scree("--help"), "Exit status: 0 done", "2 the input is wrong")
        self.assertRegex(self.scree("solve", "--help").stdout, r"--tol .*=0\.0001\s")

    def test_no_word_is_answered_by_help(self):
        done = self.scree()
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, self.scree("--help").stdout)

    def test_unknown_command_is_named(self):
        self.assert_says(self.scree("runn", "run.yaml"),
                         'scree: "runn" is no command; did you mean "run"? allowed: run, check,')
        done = self.scree("walk", "--fast")
        self.assert_says(done, 'scree: "walk" is no command; allowed: run, check, solve, info, report, schema')
        self.assert_status(done, WRONG_INPUT)

    def test_instructions_that_are_none_are_refused(self):
        with unittest.mock.patch.dict(os.environ, SCREE_INSTRUCTIONS="avx1024"):
            done = self.scree("schema", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("scree: the environment variable SCREE_INSTRUCTIONS is `avx1024`; "
                                           "allowed: plain, avx2, avx512"), 1, done.stderr)
        with unittest.mock.patch.dict(os.environ, SCREE_INSTRUCTIONS="plain"):
            self.assert_status(self.scree("schema"), DONE)

    def test_wrong_words_are_answered_once(self):
        done = self.scree("walk", ranks=3)
        self.assert_status(done, WRONG_INPUT)
        self.assertEqual(done.stderr.count("--help"), 1, done.stderr)


class Check(Cli):
    def test_good_file(self):
        done = self.scree("check", self.write())
        self.assert_status(done, DONE)
        self.assert_untouched("run.yaml")

    def test_overlap_is_told(self):
        """The deepest pair by its names, its depth and the remedy; the file stays valid."""
        place = "positions: [[0, 0, 0.05], [0, 0, 0.15]]"
        for positions, text in [
            ("[[0, 0, 0.05], [0, 0, 0.14], [1, 0, 0.05]]",
             "grain 0 of stones and grain 1 of stones, by 0.01 m, 20.0 % of a radius"),
            ("[[0, 0, 0.03], [0, 0, 0.12]]", "grain 0 of stones and tool floor, by 0.02 m, 40.0 %"),
        ]:
            self.write(GOOD.replace(place, f"positions: {positions}"))
            for ranks in (1, 3):
                with self.subTest(text=text, ranks=ranks):
                    done = self.scree("check", "run.yaml", ranks=ranks)
                    self.assert_status(done, DONE)
                    self.assert_says(done, "run.yaml: valid", text, "place them apart")
                    self.assertEqual(done.stderr.count("overlap"), 1, done.stderr)
        for positions in ("[[0, 0, 0.05], [0, 0, 0.15]]", "[[0, 0, 0.0496], [0, 0, 0.15]]"):
            with self.subTest(positions=positions):
                done = self.scree("check", self.write(GOOD.replace(place, f"positions: {positions}")))
                self.assert_status(done, DONE)
                self.assertEqual(done.stderr, "")

    def test_all_faults_at_once(self):
        text = GOOD.replace("dt:", "dtt:").replace("density: 2600", "density: -1")
        text = text.replace("mu: 0.4", "mu: .nan")
        done = self.scree("check", self.write(text))
        self.assert_status(done, WRONG_INPUT)
        lines = done.stderr.splitlines()
        for line, start in zip(lines, [
            'run.yaml:2: time.dtt: unknown key; did you mean "dt"?',
            "run.yaml:5: materials.stone.density: -1 is out of range",
            "run.yaml:7: friction.0.mu:",
        ], strict=True):
            self.assertTrue(line.startswith(start), done.stderr)
        self.assert_untouched("run.yaml")

    def test_unknown_material(self):
        done = self.scree("check", self.write(GOOD.replace("    material: stone", "    material: ston")))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "run.yaml:10: bodies.stones.material:", '"ston"', 'stone')

    def test_unknown_shape(self):
        done = self.scree("check", self.write(GOOD.replace("type: plane", "type: plain")))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "run.yaml:14: tools.floor.shape", '"plain"', "plane")

    def test_pair_without_friction(self):
        text = GOOD.replace("  stone: {density: 2600}",
                            "  stone: {density: 2600}\n  steel: {density: 7850}")
        done = self.scree("check", self.write(text.replace("{material: stone, sh", "{material: steel, sh")))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "friction", "stone", "steel")

    def test_missing_file(self):
        done = self.scree("check", "absent.yaml")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "absent.yaml")

    def test_no_yaml(self):
        done = self.scree("check", self.write("time: [1, 2\nbodies: {"))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "run.yaml:")


    def test_more_grains_than_can_be_numbered(self):
        place = "{type: box, low: [0, 0, 0], high: [1e5, 1e5, 1e5], count: 100000000000}"
        text = GOOD.replace("{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}", place)
        done = self.scree("check", self.write(text))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "run.yaml:12: bodies.stones.place.count: 100000000000 is out of range")

    def test_more_grains_in_all_than_can_be_numbered(self):
        text = GOOD.replace("tools:", """\
  cloud:
    material: stone
    radii: {type: list, values: [0.05]}
    place: {type: box, low: [0, 0, 1], high: [1e4, 1e4, 1e4], count: 357913941}
tools:""")
        done = self.scree("check", self.write(text))
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "bodies.cloud.place: 357913941 grains", "give fewer")

    def test_out_of_memory_is_told(self):
        """Three hundred million grains in a gigabyte and a half."""
        if b"__asan_init" in Path(PROGRAM).read_bytes():
            self.skipTest("the address sanitizer's shadow needs terabytes of addresses")
        place = "{type: box, low: [0, 0, 0], high: [1e4, 1e4, 1e4], count: 300000000}"
        text = GOOD.replace("{type: points, positions: [[0, 0, 0.05], [0, 0, 0.15]]}", place)
        limit = 3 << 29
        done = subprocess.run([PROGRAM, "check", self.write(text)], cwd=self.folder, timeout=PATIENCE,
                              capture_output=True, text=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assert_status(done, FAILED)
        self.assert_says(done, "scree: out of memory: ")


class Set(Cli):
    def test_override_is_used(self):
        self.write()
        done = self.scree("run", "run.yaml", "--set", "time.end=0.003", "--output", "out")
        self.assert_status(done, DONE)
        rows = (self.folder / "out/steps.csv").read_text().splitlines()
        self.assertEqual(len(rows), 1 + 3)

    def test_several_overrides(self):
        self.write()
        done = self.scree("run", "run.yaml", "--set", "time.end=0.004", "--set", "time.dt=2e-3",
                          "--output", "out")
        self.assert_status(done, DONE)
        self.assertEqual(len((self.folder / "out/steps.csv").read_text().splitlines()), 1 + 2)

    def test_wrong_override(self):
        self.write()
        for override, text in [("time.dtt=1", '"dt"'), ("time.dt=fast", "not a number"),
                               ("time.dt", "="), ("materials.wood.density=-1", "density")]:
            with self.subTest(override=override):
                done = self.scree("check", "run.yaml", "--set", override)
                self.assert_status(done, WRONG_INPUT)
                self.assert_says(done, override, text)


class Schema(Cli):
    def test_is_json_with_every_section(self):
        done = self.scree("schema")
        self.assert_status(done, DONE)
        schema = json.loads(done.stdout)
        self.assertIn("2020-12", schema["$schema"])
        for key in ("name", "time", "gravity", "materials", "friction", "bodies", "tools", "solver",
                    "output"):
            self.assertIn(key, schema["properties"])
        self.assertFalse(schema["additionalProperties"])


class Info(Cli):
    def test_snapshot(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        snapshot = max((self.folder / "out/snapshots").iterdir())
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                done = self.scree("info", str(snapshot), ranks=ranks)
                self.assert_status(done, DONE)
                self.assert_says(done, "kind: snapshot", "time: 0.01 s", "grains: 2")

    def test_wrong_files(self):
        (self.folder / "text.hdf").write_text("no HDF5")
        for name in ("absent.hdf", "text.hdf"):
            with self.subTest(name=name):
                done = self.scree("info", name, ranks=2)
                self.assert_status(done, WRONG_INPUT)
                self.assertEqual(done.stderr.count(name), 1, done.stderr)


class WrongRun(Cli):
    def test_one_message_and_nothing_written(self):
        self.write(GOOD.replace("dt:", "dtt:"))
        for ranks in (1, 4):
            with self.subTest(ranks=ranks):
                done = self.scree("run", "run.yaml", "--output", "out", ranks=ranks)
                self.assert_status(done, WRONG_INPUT)
                self.assertEqual((done.stdout + done.stderr).count('did you mean "dt"?'), 1)
                self.assert_untouched("run.yaml")

    def test_output_under_a_file(self):
        self.write()
        (self.folder / "file").write_text("")
        done = self.scree("run", "run.yaml", "--output", "file/out", ranks=2)
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "file/out")
        self.assert_untouched("run.yaml", "file")

    def test_a_run_is_not_overwritten(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "out"), DONE)
        before = (self.folder / "out/steps.csv").read_bytes()
        done = self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=0.002")
        self.assert_status(done, WRONG_INPUT)
        self.assert_says(done, "out", "overwrite")
        self.assertEqual((self.folder / "out/steps.csv").read_bytes(), before)
        done = self.scree("run", "run.yaml", "--output", "out", "--set", "time.end=0.002", "--set",
                          "output.overwrite=true")
        self.assert_status(done, DONE)
        self.assertNotEqual((self.folder / "out/steps.csv").read_bytes(), before)


class Run(Cli):
    FILES = ["run.log", "run.xdmf", "run.yaml", "snapshots", "steps.csv", "tools.csv"]

    def test_leaves_the_files_of_a_run(self):
        self.write()
        for ranks in (1, 3):
            with self.subTest(ranks=ranks):
                out = f"out{ranks}"
                self.assert_status(self.scree("run", "run.yaml", "--output", out, ranks=ranks), DONE)
                found = {f.name for f in (self.folder / out).iterdir()}
                self.assertLessEqual(set(self.FILES), found)
                self.assertEqual([f for f in found if f.endswith(".part")], [])

    def test_default_folder_is_named_after_the_run(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml"), DONE)
        self.assertTrue((self.folder / "output/two_stones/steps.csv").is_file())

    def test_effective_configuration_runs_again_alike(self):
        self.write()
        self.assert_status(self.scree("run", "run.yaml", "--output", "a"), DONE)
        self.assert_status(self.scree("run", "a/run.yaml", "--output", "b"), DONE)
        self.assertEqual((self.folder / "a/tools.csv").read_text(),
                         (self.folder / "b/tools.csv").read_text())

    def test_quiet(self):
        self.write()
        done = self.scree("run", "run.yaml", "--output", "out", "--quiet")
        self.assert_status(done, DONE)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_ranks_do_not_repeat_each_other(self):
        self.write()
        one = self.scree("run", "run.yaml", "--output", "one", ranks=1)
        four = self.scree("run", "run.yaml", "--output", "four", ranks=4)
        self.assert_status(four, DONE)
        self.assertLessEqual(len(four.stdout.splitlines()), len(one.stdout.splitlines()) + 2)

    def stages(self, *arguments, ranks=1):
        with unittest.mock.patch.dict(os.environ, PETSC_OPTIONS="-log_view :profile.txt"):
            self.assert_status(self.scree(*arguments, ranks=ranks), DONE)
        profile = (self.folder / "profile.txt").read_text()
        table = profile[profile.index("Summary of Stages"):profile.index("Phase summary")]
        return set(re.findall(r"^ *\d+: +([a-z ]+): ", table, re.MULTILINE))

    def test_profile_by_stage(self):
        self.write()
        run = ["run", "run.yaml", "--set", "output.overwrite=true", "--output", "out", "--set"]
        step = {"domain", "contacts", "assemble", "solve", "measure", "advance", "output"}
        self.assertEqual(self.stages(*run, "solver.method=nsgs", ranks=2), step | {"sweeps"})
        direct = ["solver={method: ipm, friction: associated, ipm: {linear_solver: mumps}}"]
        self.assertEqual(self.stages(*run, *direct),
                         step | {"matrix values", "factorisation", "linear solves"})

    def test_petsc_watches_over_its_memory_where_it_is_asked_to(self):
        self.write()
        for watch in ("-malloc_debug", "-malloc_dump"):
            with unittest.mock.patch.dict(os.environ, PETSC_OPTIONS=watch):
                done = self.scree("run", "run.yaml", "--set", "output.overwrite=true", "--output", "out")
            self.assert_status(done, DONE)

    def test_not_converged_goes_on_and_says_so(self):
        self.write(GOOD + "solver: {method: pgj, max_iterations: 1, tolerance: 1e-12, "
                   "on_not_converged: warn}\n")
        done = self.scree("run", "run.yaml", "--output", "out")
        self.assert_status(done, DONE)
        self.assert_says(done, "not converge")


class NotConverged(Cli):
    """Two stones fall, and meet the floor in a step that one iteration does not solve."""

    FALLING = GOOD.replace("end: 0.01", "end: 0.05").replace("[0, 0, 0.05], [0, 0, 0.15]",
                                                              "[0, 0, 0.055], [0.01, 0, 0.157]")
    METHOD = "method: pgj, max_iterations: 1, tolerance: 1e-10"
    SAID = "step 32 at 0.032 s"

    def run_with(self, answer, ranks=1, more=""):
        self.write(self.FALLING + f"solver: {{{self.METHOD}, on_not_converged: {answer}}}\n{more}")
        return self.scree("run", "run.yaml", "--output", "out", "--set", "output.overwrite=true",
                          ranks=ranks)

    def problems(self):
        return sorted(f.name for f in (self.folder / "out/problems").glob("*"))

    def test_continue_says_it_once(self):
        done = self.run_with("continue")
        self.assert_status(done, DONE)
        self.assertEqual(done.stderr, "")
        self.assert_says(done, "of 50 steps did not converge")

    def test_warn_and_fallback_go_on(self):
        done = self.run_with("warn")
        self.assert_status(done, DONE)
        self.assertIn(f"{self.SAID}: pgj ended with iteration limit", done.stderr)
        self.assertIn("problems/step_00000032.hdf5 --replay", done.stderr)
        self.assertEqual(self.problems(), ["step_00000032.hdf5"])
        self.METHOD = self.METHOD.replace("pgj, max_iterations: 1", "pgj, max_seconds: 20")
        done = self.run_with("fallback")
        self.assert_status(done, DONE)
        self.assertEqual(done.stderr, "")
        self.assertFalse((self.folder / "out/problems/step_00000032.hdf5").exists())

    def test_the_number_of_kept_problems_is_bounded(self):
        for number in (0, 3):
            self.run_with("warn", more=f"debug: {{fclib: {{not_converged: {number}}}}}\n")
            with self.subTest(number=number):
                self.assertEqual(len(self.problems()), number)

    def test_abort_keeps_what_was_written_and_replays(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                done = self.run_with("abort", ranks)
                self.assert_status(done, FAILED)
                self.assertEqual(done.stderr.count(self.SAID), 1, done.stderr)
                self.assert_says(done, "was not taken: pgj ended with iteration limit", "--replay")
                out = self.folder / "out"
                self.assertEqual(len((out / "steps.csv").read_text().splitlines()), 1 + 31)
                self.assertIn(self.SAID, (out / "run.log").read_text())
                self.assertEqual([f.name for f in out.rglob("*.part")], [])
                self.assertEqual(self.problems(), ["step_00000032.hdf5"])
                self.check_replay("out/problems/step_00000032.hdf5", done.stderr, 3 - ranks)

    def check_replay(self, problem, said, ranks):
        with h5py.File(self.folder / problem) as file:
            info = file["fclib_global/info"]
            self.assertIn("two_stones", info["configuration"][()].decode())
            self.assertEqual(sorted(info["body_id"][:]), [0, 1])
        done = self.scree("solve", problem, "--replay", "--report", "report.json", ranks=ranks)
        self.assert_status(done, FAILED)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual((report["solver"], report["status"], report["start"]),
                         ("pgj", "iteration limit", "guess"))
        self.assertIn(f"residual {report['measures']['residual']:.1e}", said)
        done = self.scree("solve", problem, "--replay", "--max-iterations", "0", "--set",
                          "solver.method=nsgs", ranks=ranks)
        self.assert_status(done, DONE)

    def test_a_problem_that_cannot_be_written(self):
        for answer, status in (("warn", DONE), ("abort", FAILED)):
            with self.subTest(answer=answer):
                (self.folder / "out").mkdir(exist_ok=True)
                (self.folder / "out/problems").write_text("in the way")
                done = self.run_with(answer, ranks=2)
                self.assert_status(done, status)
                self.assertEqual(done.stderr.count("its contact problem could not be written"), 1)
                self.assertIn(self.SAID, done.stderr)

    def test_problems_of_a_run_that_goes_on(self):
        self.METHOD = "method: nsgs"
        done = self.run_with("abort", 2, "debug: {fclib: {every: 20}}\n")
        self.assert_status(done, DONE)
        self.assertEqual(self.problems(), ["step_00000020.hdf5", "step_00000040.hdf5"])
        self.assert_status(self.scree("solve", "out/problems/step_00000040.hdf5", "--replay"), DONE)
        self.assert_status(self.scree("solve", "out/problems/step_00000040.hdf5"), DONE)


if __name__ == "__main__":
    unittest.main()
