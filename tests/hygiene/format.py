#!/usr/bin/python3
"""Fails on C++ files that clang-format would change.

    format.py SOURCE_DIR [--fix]

Releases of clang-format differ in what they write, so the one of Debian 12 decides; where it is not
installed the test is skipped (status 77). With --fix the files are rewritten.
"""
import shutil
import subprocess
import sys
from pathlib import Path

VERSION = "14"
SKIP = 77


def find_formatter():
    """The path of clang-format of the right release, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        program = shutil.which(name)
        if program:
            answer = subprocess.run([program, "--version"], capture_output=True, text=True)
            if f"version {VERSION}." in answer.stdout:
                return program
    return None


def main():
    program = find_formatter()
    if program is None:
        print(f"skipped: clang-format {VERSION} is not installed (apt-get install clang-format-14)")
        return SKIP
    source_dir = Path(sys.argv[1])
    files = [str(f) for top in ("src", "include", "tests", "scripts")
             for f in sorted((source_dir / top).rglob("*.[ch]pp"))]
    if not files:
        print(f"no C++ files under {source_dir}")
        return 1
    style = f"--style=file:{source_dir / '.clang-format'}"
    if "--fix" in sys.argv:
        return subprocess.run([program, style, "-i", *files]).returncode
    status = subprocess.run([program, style, "--dry-run", "--Werror", *files]).returncode
    print(f"format: {len(files)} files; to correct them: tests/hygiene/format.py . --fix")
    return status


if __name__ == "__main__":
    sys.exit(main())
