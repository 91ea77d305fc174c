#!/usr/bin/python3
"""The checkers of the source tree find what they are there to find, in trees made to be wrong."""
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

sys.path.insert(0, str(HERE.parents[1] / "scripts" / "lib"))

import floors
import links
import quotes
import skipped
import text


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for module in floors.BELOW:
            self.write(f"include/scree/{module}/it.hpp", "#pragma once\n")
        self.write("include/scree/problem/assemble.hpp", "#pragma once\n")

    def write(self, path, content):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode())

    def status_of(self, script):
        return subprocess.run([HERE / script, self.root], capture_output=True).returncode


class Floors(Tree):
    def faults_of(self, path, line):
        self.write(path, line + "\n")
        return floors.faults(self.root)[0]

    def assert_refused(self, path, line, expected):
        found = self.faults_of(path, line)
        self.assertEqual(len(found), 1, found)
        self.assertIn(expected, found[0])
        self.assertTrue(found[0].startswith(f"{path}:1: "), found[0])
        self.assertEqual(self.status_of("floors.py"), 1)

    def test_clean_tree_passes(self):
        self.assertEqual(self.faults_of("src/step/a.cpp", '#include "scree/solver/it.hpp"'), [])
        self.assertEqual(self.faults_of("src/domain/partition.cpp", "#include <zoltan.h>"), [])
        self.assertEqual(self.faults_of("src/main.cpp", '#include "scree/step/it.hpp"'), [])
        self.assertEqual(self.status_of("floors.py"), 0)

    def test_headers_beside_sources_are_their_modules(self):
        self.write("src/solver/lcp/mine.hpp", "")
        for path, header in [("src/solver/lcp/a.cpp", "mine.hpp"), ("src/solver/b.cpp", "solver/lcp/mine.hpp"),
                             ("tests/unit/solver/a.cpp", "solver/lcp/mine.hpp")]:
            self.assertEqual(self.faults_of(path, f'#include "{header}"'), [], path)
        for path, expected in [("src/step/a.cpp", "beside the sources of the same module"),
                               ("include/scree/solver/a.hpp", "beside the sources of the same module"),
                               ("src/solver/sweeps/a.cpp", "may not see its room lcp"),
                               ("tests/unit/step/a.cpp", "beside the sources of solver")]:
            with self.subTest(path=path):
                self.assert_refused(path, '#include "solver/lcp/mine.hpp"', expected)
                (self.root / path).unlink()

    def test_a_source_includes_its_own_header_first(self):
        self.write("src/solver/lcp/mine.hpp", "")
        for path, first in [("src/solver/lcp/mine.cpp", '"mine.hpp"'), ("src/solver/it.cpp", '"scree/solver/it.hpp"'),
                            ("src/solver/lcp/other.cpp", "<vector>")]:
            self.assertEqual(self.faults_of(path, f"#include {first}"), [], path)
        self.assert_refused("src/solver/it.cpp", "#include <vector>", "include it.hpp first")
        (self.root / "src/solver/it.cpp").unlink()
        self.assert_refused("src/solver/lcp/mine.cpp", '#include "scree/solver/it.hpp"', "include mine.hpp first")

    def test_tests_name_headers_by_module(self):
        self.assert_refused("tests/unit/base/a.cpp", '#include "../../src/base/a.hpp"', "MODULE/ROOM/NAME.hpp")
        self.assert_refused("tests/unit/base/a.cpp", '#include "scree/base/gone.hpp"', "no such header")

    def test_every_pair_of_modules(self):
        """Each module may include exactly what its row of the table names."""
        for module, below in floors.BELOW.items():
            for target in floors.BELOW:
                found = self.faults_of(f"src/{module}/a.cpp", f'#include "scree/{target}/it.hpp"')
                self.assertEqual(found == [], target == module or target in below, (module, target))
            (self.root / f"src/{module}/a.cpp").unlink()

    def test_the_table_has_no_cycle(self):
        for module, below in floors.BELOW.items():
            for other in below:
                self.assertNotIn(module, floors.BELOW[other])

    def test_upward_include_of_a_header(self):
        self.assert_refused(
            "include/scree/base/a.hpp", '#include "scree/app/it.hpp"', "does not stand below")

    def test_solver_sees_no_assembly(self):
        self.assert_refused(
            "src/solver/a.cpp", '#include "scree/problem/assemble.hpp"', "hidden from solver")

    def test_rooms_keep_apart(self):
        self.write("include/scree/solver/lcp/a.hpp", "")
        self.assert_refused(
            "src/solver/sweeps/a.cpp", '#include "scree/solver/lcp/a.hpp"', "may not see its room lcp")

    def test_libraries_stay_where_they_are_wrapped(self):
        for path, header in [
            ("src/domain/exchange.cpp", "zoltan.h"),
            ("src/domain/exchange.cpp", "zoltan_comm.h"),
            ("include/scree/config/a.hpp", "yaml-cpp/yaml.h"),
            ("src/step/a.cpp", "hdf5.h"),
            ("src/solver/a.cpp", "mpi.h"),
            ("src/contact/a.cpp", "mpi.h"),
            ("src/geometry/a.cpp", "petscvec.h"),
            ("src/solver/a.cpp", "CLI/CLI.hpp"),
        ]:
            with self.subTest(header=header):
                self.assert_refused(path, f"#include <{header}>", "is wrapped elsewhere")
                (self.root / path).unlink()

    def test_odd_ways_to_include(self):
        self.assert_refused("src/base/a.cpp", "#include <scree/base/it.hpp>", "in quotes")
        self.assert_refused("src/base/a.cpp", '  #  include "../it.hpp"', "write")
        self.assert_refused("src/base/a.cpp", '#include "scree/base/gone.hpp"', "no such header")

    def test_file_outside_modules(self):
        self.assert_refused("src/stray/a.cpp", "", "not in a module")

    def test_empty_tree_fails(self):
        with tempfile.TemporaryDirectory() as empty:
            status = subprocess.run([HERE / "floors.py", empty], capture_output=True).returncode
        self.assertEqual(status, 1)


class Text(Tree):
    def found_in(self, content):
        self.write("src/base/a.cpp", content)
        found, warnings, _ = text.check(self.root)
        return found, warnings

    def test_clean_file_passes(self):
        self.assertEqual(self.found_in("int a;\n"), ([], []))
        self.assertEqual(self.status_of("text.py"), 0)

    def test_debris(self):
        for content in ["int a; \n", "\tint a;\n", "int a;\r\n", "<<<<<<< main\n", "// TODO\n", "int a;"]:
            with self.subTest(content=content):
                found, _ = self.found_in(content)
                self.assertNotEqual(found, [])
                self.assertEqual(self.status_of("text.py"), 1)

    def test_budget(self):
        self.assertEqual(self.found_in("\n" * text.WARN_LINES), ([], []))
        found, warnings = self.found_in("\n" * (text.WARN_LINES + 1))
        self.assertEqual((len(found), len(warnings)), (0, 1))
        found, warnings = self.found_in("\n" * (text.MAX_LINES + 1))
        self.assertEqual((len(found), len(warnings)), (1, 0))


class Links(Tree):
    def faults_of(self, line):
        self.write("README.md", "# A page\n\n## Two words, here\n\n" + line + "\n")
        self.write("docs/other.md", "# Other\n")
        return list(links.faults_of(self.root / "README.md", self.root, ["0123456789", "12ab345678"]))

    def test_what_is_there_passes(self):
        for line in ("[a](docs/other.md)", "[a](docs/other.md#other)", "[a](#two-words-here)", "[a](https://example.org/x)",
                     "`[a](gone.md)`", "    [a](gone.md)", "Made with commit 12ab345; 2 cores."):
            self.assertEqual(self.faults_of(line), [], line)
        self.assertEqual(self.status_of("links.py"), 0)

    def test_dead_links_are_named(self):
        for line, fault in (("[a](gone.md)", "no such file"), ("[a](docs/other.md#gone)", "no such heading"),
                            ("[a](#gone)", "no such heading"), ("Made with commit 12ab346.", "none in the history")):
            found = self.faults_of(line)
            self.assertEqual(len(found), 1, line)
            self.assertIn(fault, found[0])
        self.write("README.md", "[a](gone.md)\n")
        self.assertEqual(self.status_of("links.py"), 1)

    def test_pages_in_folders_of_docs_are_read(self):
        self.write("docs/notes/one.md", "[a](../gone.md)\n")
        self.assertEqual(self.status_of("links.py"), 1)
        self.write("docs/notes/one.md", "[a](one.md)\n")
        self.assertEqual(self.status_of("links.py"), 0)


class Quotes(Tree):
    """A page beside a table of two methods, and one of results."""
    TABLE = "method,seed,seconds,ends\nsweeps,1,2.94,3 / 0.0717\nsweeps,2,3.04,3 / 0.0688\ncones of box500t,1,71,9 / 1.25\n"

    def setUp(self):
        super().setUp()
        self.write("docs/results/heap/times.csv", self.TABLE)
        self.write("docs/results/heap/README.md", "# Heaps\n\n## times\n\nOn 24 cores: [times.csv](times.csv)\n\n<!-- end of times -->\n"
                                                  "\n## others\n\nIn 0.047 s.\n")

    def faults_of(self, words):
        self.write("docs/page.md", words + "\n")
        return [fault.removeprefix("docs/page.md:1: ") for fault in
                quotes.faults_of(self.root / "docs/page.md", quotes.Results(self.root), self.root)]

    def assert_refused(self, words, *expected):
        found = self.faults_of(words)
        self.assertEqual(len(found), len(expected), found)
        for fault, words_of_it in zip(found, expected):
            self.assertIn(words_of_it, fault)
        self.assertEqual(self.status_of("quotes.py"), 1)

    def test_by_name(self):
        link = "([measured](results/heap/README.md#times))"
        for words in (f"sweeps take 2.9 s {link}", f"3 and 71 s {link}", f"0.07 of it {link}", f"{link} has 0.072", f"24 cores {link}",
                      f"500 grains of a box {link}", f"72 or 68.8 ms {link}", "1,234 is no quote", f"`42` by eq. 7 of 1998, (Otto 1998) {link}"):
            self.assertEqual(self.faults_of(words), [], words)
        self.assertEqual(self.status_of("quotes.py"), 0)
        for wrong in ("2.8", "2.95", "0.047", "0.0716", "70", "1e-4", "1,234"):
            self.assert_refused(f"in {wrong} s {link}", f"{wrong} does not stand in heap#times")
        self.assert_refused(f"72 s {link}", "72 does not stand")

    def test_names_of_commits_are_no_numbers(self):
        link = "[a](results/heap/README.md#times)"
        self.write("docs/results/heap/times.csv", self.TABLE + "7836e334,3,5,1.2345678e-5\n")
        self.assertEqual(self.faults_of(f"7836e334 and commit 1061999 take 5 s, 1.23e-5 {link}"), [])
        self.assert_refused(f"commit 7836e334 takes 6 s {link}", "6 does not stand")

    def test_a_number_belongs_to_the_links_beside_it(self):
        first, second = "[a](results/heap/README.md#times)", "[b](results/heap/README.md#others)"
        self.assertEqual(self.faults_of(f"0.07 {first}, 0.047 {second}"), [])
        self.assertEqual(self.faults_of(f"0.07 and 0.047 {first}, {second}"), [])
        self.assertEqual(self.faults_of(f"0.047 and 0.07 {first.replace('#times', '')}"), [])  # the whole page
        self.assertEqual(self.faults_of(f"{first}: 0.07; {second}: 0.047"), [])
        self.assert_refused(f"0.047 {first}, 0.07 {second}", "0.047 does not stand in heap#times")
        self.assert_refused(f"{first}, 3.04 s, {second}, 0.07", "0.07 does not stand in heap#others")

    def test_each_row_and_item_for_itself(self):
        link = "[a](results/heap/README.md#times)"
        for mark in ("| ", "- "):
            self.assertEqual(self.faults_of(f"{mark}71 {link}\n{mark}70 elsewhere"), [])

    def test_a_table_below_links(self):
        words = "[a](results/heap/README.md#times)\n\n| | s |\n| --- | --- |\n| cones | 71 |\n| both | {} |\n\nWords, 5.\n\n| 5 |"
        self.assertEqual(self.faults_of(words.format("2.9 to 71")), [])
        self.write("docs/page.md", words.format("2.9 to 72"))
        found = list(quotes.faults_of(self.root / "docs/page.md", quotes.Results(self.root), self.root))
        self.assertEqual(found, ["docs/page.md:6: 72 does not stand in heap#times"])

    def test_a_table_that_changes(self):
        words = "in 2.9<!-- heap/times: seconds | method=sweeps, seed=1 --> s, 71 ([measured](results/heap/README.md#times))"
        self.assertEqual(self.faults_of(words), [])
        self.write("docs/results/heap/times.csv", self.TABLE.replace("2.94", "3.11").replace("71\n", "72\n").replace(",71,", ",66,"))
        self.assert_refused(words, "2.9, where heap/times.csv has 3.11", "71 does not stand")

    def test_marks(self):
        for words in ("71<!-- heap/times: seconds | method=cones of box500t -->",
                      "2.94 to 3.04<!-- heap/times: min..max seconds | method=sweeps -->",
                      "2.9 to 71<!-- heap/times: min..max seconds -->",
                      "0.072<!-- heap/times: ends[1] | seed=1, method=sweeps -->",
                      "72<!-- heap/times: ends[1] * 1e3 | seed=1, method=sweeps --> ms",
                      "2.99<!-- heap/times: mean seconds | seconds<=4 -->",
                      "3<!-- heap/times: count seed -->", "1<!-- heap/times: count seed | seconds>=70 -->",
                      "under 4<!-- heap/times: below seconds | method=sweeps -->", "over 2.5<!-- heap/times: above seconds -->"):
            self.assertEqual(self.faults_of(words), [], words)
        self.assert_refused("70<!-- heap/times: seconds | method=cones of box500t -->", "70, where heap/times.csv has 71")
        self.assert_refused("2.94 to 3.05<!-- heap/times: min..max seconds | method=sweeps -->", "3.05, where")
        self.assert_refused("under 3<!-- heap/times: below seconds | method=sweeps -->", "3, where heap/times.csv has 3.04")
        self.assert_refused("over 3<!-- heap/times: above seconds | method=sweeps -->", "3, where heap/times.csv has 2.94")
        self.assert_refused("3<!-- heap/times: seconds | method=sweeps -->", "has 2 such rows, of 2.94 to 3.04")
        self.assert_refused("3<!-- heap/times: seconds | method=nsgs -->", "has no such row")
        self.assert_refused("3<!-- heap/times: second -->", "no column second; it has method")
        self.assert_refused("3<!-- heap/gone: seconds -->", "no table heap/gone.csv")
        self.assert_refused("no number<!-- heap/times: seconds | seed=2 -->", "no number stands before the mark")
        self.assertEqual(self.faults_of("of 42<!-- not measured --> grains [a](results/heap/README.md)"), [])

    def test_words_of_a_page_of_results(self):
        page = "# Heaps\n\n## times\n\nOn 24 cores\n\n<!-- end of times -->\n\nSweeps take {} s.\n"
        self.write("docs/results/heap/README.md", page.format("2.9"))
        self.assertEqual(self.status_of("quotes.py"), 0)
        self.write("docs/results/heap/README.md", page.format("24"))
        self.assertEqual(self.status_of("quotes.py"), 1)


class Alone(unittest.TestCase):
    """cmake/syntax_only.sh, which stops the compiler at the end of a source."""

    def compiled(self, text):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "it.hpp").write_text("inline int it() { return 1; }\n")
            (folder / "it.cpp").write_text(text)
            done = subprocess.run([HERE.parents[1] / "cmake" / "syntax_only.sh", "c++", "-std=c++20", "-Wall", "-Wextra",
                                   "-Werror", "-fdiagnostics-color=always", "-MD", "-MF", folder / "it.d", "-o", folder / "it.o",
                                   "-c", folder / "it.cpp"], capture_output=True, text=True, timeout=60)
            self.assertEqual((folder / "it.o").exists(), done.returncode == 0, done.stderr)
            return done.returncode, done.stderr + ((folder / "it.d").read_text() if done.returncode == 0 else "")

    def test_a_source_that_compiles(self):
        status, text = self.compiled('#include "it.hpp"\nnamespace a { int b() { return it(); } }\n')
        self.assertEqual(status, 0, text)
        self.assertIn("it.hpp", text)

    def test_what_does_not_compile(self):
        for text, word in (("std::string a;\n", "std"), ("namespace a { int b;\n", "error"), ("struct A { int b;\n", "error"),
                           ('#include "none.hpp"\n', "none.hpp"), ("void a(int b) {}\n", "unused")):
            with self.subTest(text=text):
                status, says = self.compiled(text)
                self.assertEqual(status, 1)
                self.assertIn(word, says)


class Skipped(unittest.TestCase):
    """The report of what tests did not do, of a log as ctest writes it."""

    LOG = """\
1/4 Testing: physics_bed.np2
Output:
[ RUN      ] Bed.Rests
[       OK ] Bed.Rests (3 ms)
[ RUN      ] Bed.GoesOn
../tests/physics/bed_test.cpp:212: Skipped
two ranks write and three read

[  SKIPPED ] Bed.GoesOn (0 ms)
Test Passed.
2/4 Testing: cli_disk
test_full (__main__.Disk.test_full)
A full disk loses nothing. ... skipped 'to mount needs root'
test_empty (__main__.Disk.test_empty) ... ok
Test Passed.
3/4 Testing: hygiene_format
skipped: clang-format 14 is not installed
Test Passed.
4/4 Testing: unit_base.np1
Test Failed.
"""

    def test_names_each_with_its_reason(self):
        lines = skipped.report(skipped.Log(self.LOG.splitlines()))
        self.assertEqual(lines[1:4], [
            "  physics_bed.np2: Bed.GoesOn: two ranks write and three read",
            "  cli_disk: test_full: to mount needs root",
            "  hygiene_format: clang-format 14 is not installed",
        ])

    def test_an_entry_that_skipped_as_a_whole_has_not_passed(self):
        self.assertEqual(skipped.report(skipped.Log(self.LOG.splitlines()))[-1], "2 passed, 1 failed, 3 skipped")

    def test_reads_what_is_coloured_under_mpirun(self):
        coloured = re.sub(r"^(\[.{10}\] )", "\x1b[0;32m\\1\x1b[m", self.LOG, flags=re.MULTILINE)
        self.assertIn("\x1b[0;32m[  SKIPPED ] \x1b[mBed.GoesOn (0 ms)", coloured)
        plain = skipped.report(skipped.Log(self.LOG.splitlines()))
        self.assertEqual(skipped.report(skipped.Log(coloured.splitlines())), plain)

    def test_nothing_skipped(self):
        self.assertEqual(skipped.report(skipped.Log([])), ["0 passed, 0 failed, 0 skipped"])


if __name__ == "__main__":
    unittest.main()
