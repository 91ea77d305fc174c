"""Laws of granular matter that must come out, each beside the literature's curve.

  scripts/bench/run physics LAW [LAW ...] [--ranks 1] [--short] [--results FOLDER] [--runs FOLDER]

LAW is the name of a module of scripts/bench/physics/laws, or `all`. Of each: a table (FOLDER/LAW.csv) and a plot
(.png); the checks, what was measured within which bounds, are in the page beside it. The exit status is 1 when one of them
fails. --short takes small sizes, for a test. --runs keeps the runs, and takes those that it holds in place of
running them again.
"""
import argparse
import pathlib
import sys
import tempfile

import common
import lab

NAMES = sorted(p.stem for p in (pathlib.Path(__file__).parent / "laws").glob("*.py"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("laws", nargs="+", metavar="LAW", choices=["all", *NAMES], help=", ".join(["all", *NAMES]))
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--short", action="store_true")
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    args = parser.parse_args()
    names = NAMES if "all" in args.laws else args.laws
    with tempfile.TemporaryDirectory() as folder:
        runs = args.runs or pathlib.Path(folder)
        held = [lab.study(name, runs / name, args.results / name, args.ranks, args.short) for name in names]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
