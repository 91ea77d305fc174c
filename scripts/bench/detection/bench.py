"""Seconds of a detection step, for grains of each shape in a random dense bed, on one core.

  scripts/bench/run detection [--count 10000] [--spheres 100000] [--repeats 5] [--rounds 3] [--before PROGRAM] [--results FOLDER]

The program is bench_detection (cmake --preset release -DSCREE_BENCHMARKS=ON), --before one of another build, which is
run by turns with this one on the --spheres. A step is boxes, pairs from the list with a skin, and contacts; `search_ms` is
what it costs to find all pairs anew. Processor times: medians over the repeats of a round, then over the rounds;
nanoseconds a pair are those of contacts alone. `over_before`: the median over the rounds of the ratio of a step.
"""
import argparse
import json
import statistics
import subprocess

import common

PROGRAM = common.ROOT / "build" / "scripts" / "bench" / "bench_detection"
SHAPES = ["sphere", "ellipsoid", "capsule", "box", "polyhedron"]
STEP = ["boxes_s", "list_s", "contacts_s"]


def measure(program, shape, count, args):
    command = [str(program), shape, str(count), str(args.repeats)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def step_of(figures):
    return sum(figures[part] for part in STEP)


def row_of(shape, count, before, args):
    """One shape's rounds as a row, in ms and ns; @p before: program to compare with, or none."""
    befores, rounds = [], []
    for _ in range(args.rounds):
        if before:
            befores.append(measure(before, shape, count, args))
        rounds.append(measure(PROGRAM, shape, count, args))
        print(f"{shape}: {1e3 * step_of(rounds[-1]):.1f} ms", flush=True)
    median = {key: statistics.median(figures[key] for figures in rounds) for key in rounds[0]}
    row = {"shape": shape, "grains": count, "pairs": median["pairs"], "contacts": median["contacts"]}
    row |= {key.replace("_s", "_ms"): f"{1e3 * median[key]:.3g}" for key in ("search_s", *STEP)}
    row["step_ms"] = f"{1e3 * statistics.median(step_of(figures) for figures in rounds):.3g}"
    row["ns_per_pair"] = f"{1e9 * median['contacts_s'] / median['pairs']:.3g}"
    ratios = [step_of(now) / step_of(then) for now, then in zip(rounds, befores)]
    row["over_before"] = f"{statistics.median(ratios):.2f}" if ratios else ""
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10000, help="grains of each shape")
    parser.add_argument("--spheres", type=int, default=100000, help="spheres in a further row")
    parser.add_argument("--repeats", type=int, default=5, help="steps a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--before", help="bench_detection of another build, to compare with")
    common.declare_results(parser)
    args = parser.parse_args()
    rows = [row_of(shape, args.count, None, args) for shape in SHAPES]
    rows.append(row_of("sphere", args.spheres, args.before, args))
    command = f"scripts/bench/run detection --count {args.count} --spheres {args.spheres} --repeats {args.repeats}"
    command += f" --rounds {args.rounds}"
    command += " --before PROGRAM" if args.before else ""
    common.write_results(args.results / "detection", "Seconds of a detection step", command, rows)


if __name__ == "__main__":
    main()
