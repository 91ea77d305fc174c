#!/usr/bin/python3
"""The checkers of the source tree find what they are there to find, in trees made to be wrong."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import floors
import links
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
        for path, header in [("src/solver/lcp/a.cpp", "mine.hpp"), ("src/solver/a.cpp", "solver/lcp/mine.hpp"),
                             ("tests/unit/solver/a.cpp", "solver/lcp/mine.hpp")]:
            self.assertEqual(self.faults_of(path, f'#include "{header}"'), [], path)
        for path, expected in [("src/step/a.cpp", "beside the sources of the same module"),
                               ("include/scree/solver/a.hpp", "beside the sources of the same module"),
                               ("src/solver/sweeps/a.cpp", "may not see its room lcp"),
                               ("tests/unit/step/a.cpp", "beside the sources of solver")]:
            with self.subTest(path=path):
                self.assert_refused(path, '#include "solver/lcp/mine.hpp"', expected)
                (self.root / path).unlink()

    def test_tests_name_headers_by_module(self):
        self.assert_refused("tests/unit/base/a.cpp", '#include "../../src/base/a.hpp"', "MODULE/ROOM/NAME.hpp")

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
        return list(links.faults_of(self.root / "README.md", self.root))

    def test_what_is_there_passes(self):
        for line in ("[a](docs/other.md)", "[a](docs/other.md#other)", "[a](#two-words-here)", "[a](https://example.org/x)",
                     "`[a](gone.md)`", "    [a](gone.md)"):
            self.assertEqual(self.faults_of(line), [], line)
        self.assertEqual(self.status_of("links.py"), 0)

    def test_dead_links_are_named(self):
        for line, fault in (("[a](gone.md)", "no such file"), ("[a](docs/other.md#gone)", "no such heading"),
                            ("[a](#gone)", "no such heading")):
            found = self.faults_of(line)
            self.assertEqual(len(found), 1, line)
            self.assertIn(fault, found[0])
        self.assertEqual(self.status_of("links.py"), 1)

    def test_pages_in_folders_of_docs_are_read(self):
        self.write("docs/notes/one.md", "[a](../gone.md)\n")
        self.assertEqual(self.status_of("links.py"), 1)
        self.write("docs/notes/one.md", "[a](one.md)\n")
        self.assertEqual(self.status_of("links.py"), 0)


if __name__ == "__main__":
    unittest.main()
