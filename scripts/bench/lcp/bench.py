"""Erleben's study of methods for linear complementarity problems, made again.

  scripts/bench/run lcp [PART ...] [--problems 100] [--results FOLDER]

After Erleben, Numerical methods for linear complementarity problems in physics-based animation (2013), section 7, on the
random problems of lcp_problems.py. PART is the name of a module of scripts/bench/lcp/parts, whose head says what is
measured, and which table or figure of the paper that is; all of them where none is named. Written are FOLDER/PART.csv, and
PART.png where the part has a plot.
"""
import argparse
import importlib
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import lcp_solves

NAMES = sorted(p.stem for p in (pathlib.Path(__file__).parent / "parts").glob("*.py"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(NAMES))
    lcp_solves.declare(parser)
    args = parser.parse_args()
    unknown = sorted(set(args.parts) - set(NAMES))
    if unknown:
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(NAMES)}")
    for name in args.parts or NAMES:
        with tempfile.TemporaryDirectory() as folder:
            module = importlib.import_module(f"parts.{name}")
            module.measure(lcp_solves.Study(name, module.TITLE, args, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
