"""Smooth bodies and what is made of them: ReLCP, one constraint a pair, clusters of balls (paper 001).

  scripts/bench/run smooth [PART ...] [--ranks 1 2] [--count N] [--results FOLDER] [--runs FOLDER] [--short]

PART: pair (Table 1), compaction (Table 2), gathering (Fig. 4), chainmail (Fig. 6), stages (what a step is made of), packing (under gravity, on the
first number of ranks), settling (with friction and without); all where none is named. Tables and plots are FOLDER/PART. --count: grains of compaction
(300 and 10000, which takes an hour), gathering (300), stages (1000 and 10000), packing (400) and settling (1000). --runs keeps the runs, and goes on with those there are; --short takes small ones, for a
test.
"""
import argparse
import pathlib
import tempfile

import common
import smooth_chainmail
import smooth_compaction
import smooth_gathering
import smooth_packing
import smooth_pair
import smooth_settling
import smooth_stages

PARTS = {"pair": smooth_pair, "compaction": smooth_compaction, "gathering": smooth_gathering, "chainmail": smooth_chainmail, "stages": smooth_stages,
         "packing": smooth_packing, "settling": smooth_settling}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--count", type=int)
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    for part in args.parts:
        if part not in PARTS:
            parser.error(f"{part} is none of {', '.join(PARTS)}")
    for part in args.parts or PARTS:
        path = args.results / part
        path.parent.mkdir(parents=True, exist_ok=True)
        command = f"scripts/bench/run smooth {part} --ranks {' '.join(map(str, args.ranks))}" + " --short" * args.short
        if args.count:
            command += f" --count {args.count}"
        with tempfile.TemporaryDirectory() as temporary:
            folder = (args.runs or pathlib.Path(temporary)) / part
            title, rows, note, after, picture = PARTS[part].measure(folder, path, args)
        common.write_results(path, title, command, rows, note, after, picture)


if __name__ == "__main__":
    main()
