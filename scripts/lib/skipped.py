#!/usr/bin/python3
"""Says what tests did not do: reads the log that ctest leaves, and prints each test that skipped, by name with the
reason, then one line of counts.

    skipped.py BUILD_DIR/Testing/Temporary/LastTest.log

A test program counts as passed although some of its tests skipped; here these are named. GoogleTest
colours its output under mpirun, which gives it a terminal; colours are taken off before a line is
read.
"""
import re
import sys
from pathlib import Path

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ENTRY = re.compile(r"^\d+/\d+ Testing: (\S+)$")
END = re.compile(r"^Test (Passed|Failed)\.")
GTEST_RUN = re.compile(r"^\[ RUN      \] (\S+)$")
GTEST_PLACE = re.compile(r"^\S+:\d+: Skipped$")
GTEST_SKIPPED = re.compile(r"^\[  SKIPPED \] (\S+) \(\d+ ms\)$")
PYTHON_TEST = re.compile(r"^(test_\w+) \(\S+\)")
PYTHON_SKIPPED = re.compile(r"\.\.\. skipped ['\"](.*)['\"]$")
WHOLE_SKIPPED = re.compile(r"^skipped: (.*)$")


class Log:
    """The tests of a log: how many passed and failed, and what was skipped."""

    def __init__(self, lines):
        self.passed = self.failed = 0  # entries; one that skipped as a whole is neither
        self.skipped = []  # (entry of ctest, test within it, reason)
        self.entry = self.test = None
        self.reason, self.whole = [], False
        for line in lines:
            self.read(COLOUR.sub("", line).rstrip("\n"))

    def read(self, line):
        if match := ENTRY.match(line):
            self.entry, self.test, self.reason, self.whole = match[1], None, [], False
        elif match := END.match(line):
            self.passed += match[1] == "Passed" and not self.whole
            self.failed += match[1] == "Failed"
        elif match := GTEST_RUN.match(line):
            self.test, self.reason = match[1], []
        elif GTEST_PLACE.match(line):
            self.reason = []
        elif match := GTEST_SKIPPED.match(line):
            self.skip(match[1], " ".join(filter(None, self.reason)))
        elif match := WHOLE_SKIPPED.match(line):
            self.whole = True
            self.skip("", match[1])
        else:
            if match := PYTHON_TEST.match(line):
                self.test = match[1]
            if match := PYTHON_SKIPPED.search(line):
                self.skip(self.test, match[1])
            else:
                self.reason.append(line.strip())

    def skip(self, test, reason):
        self.skipped.append((self.entry, test, reason))


def report(log):
    """Lines for the reader: one a test that skipped, and the counts."""
    lines = []
    if log.skipped:
        lines.append(f"{len(log.skipped)} skipped, which were not tested here:")
        lines += [f"  {entry}{': ' + test if test else ''}: {reason}" for entry, test, reason in log.skipped]
    lines.append(f"{log.passed} passed, {log.failed} failed, {len(log.skipped)} skipped")
    return lines


def main():
    path = Path(sys.argv[1])
    if not path.is_file():
        sys.exit(f"skipped.py: {path}: no log of ctest; did it run?")
    with path.open(encoding="utf-8", errors="replace") as lines:
        print("\n".join(report(Log(lines))))


if __name__ == "__main__":
    main()
