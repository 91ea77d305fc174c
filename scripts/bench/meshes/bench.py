"""Microseconds of the contacts of a grain with a mesh over its number of triangles, and bytes a triangle, on one core.

  scripts/bench/run meshes [--triangles 1000 100000 1000000] [--grains 20000] [--rounds 3] [--results FOLDER]

The program is bench_meshes (cmake --preset release -DSCREE_BENCHMARKS=ON): a bowl of triangles, and grains twice as large
as these, evenly over it, that are near (`near_us`, with `points` contact points each and `in_reach` triangles whose boxes meet
the grain's) or a hundred radii off (`far_us`). They are visited neighbour by neighbour, as in a run; `random_us`: in random
order. `fcl_us` and `fcl_bytes`: the same queries in the same order, and bytes a triangle, by the tree of FCL, the Flexible
Collision Library, where it is installed; `-` elsewhere. Processor times: medians over five repeats of a round, then over the rounds. `built_s`: welding, topology and the tree, from points and triangles.
"""
import argparse
import json
import statistics
import subprocess

import common

PROGRAM = common.ROOT / "build" / "scripts" / "bench" / "bench_meshes"
FCL = PROGRAM.with_name("bench_meshes_fcl")
SHAPES = ["sphere", "ellipsoid", "capsule", "box"]


def medians(program, shape, triangles, args):
    """Of each figure that a program prints, over the rounds."""
    command = [str(program), shape, str(triangles), str(args.grains)]
    rounds = [json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(args.rounds)]
    return {key: statistics.median(one[key] for one in rounds) for key in rounds[0]}


def row_of(shape, triangles, args):
    median = medians(PROGRAM, shape, triangles, args)
    other = medians(FCL, shape, triangles, args) if FCL.exists() else None
    print(f"{shape} {triangles}: {median['near_us']:.3g} us", flush=True)
    return {
        "shape": shape,
        "triangles": int(median["triangles"]),
        "near_us": f"{median['near_us']:.3g}",
        "random_us": f"{median['random_us']:.3g}",
        "in_reach": f"{median['in_reach']:.3g}",
        "points": f"{median['points']:.3g}",
        "far_us": f"{median['far_us']:.3g}",
        "built_s": f"{median['built_s']:.3g}",
        "bytes_a_triangle": f"{median['bytes'] / median['triangles']:.0f}",
        "fcl_us": f"{other['near_us']:.3g}" if other else "-",
        "fcl_bytes": f"{other['bytes'] / other['triangles']:.0f}" if other else "-",
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--triangles", type=int, nargs="+", default=[1000, 100000, 1000000])
    parser.add_argument("--grains", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=3)
    common.declare_results(parser)
    args = parser.parse_args()
    rows = [row_of(shape, n, args) for shape in SHAPES for n in args.triangles]
    command = f"scripts/bench/run meshes --triangles {' '.join(map(str, args.triangles))} --grains {args.grains}"
    command += f" --rounds {args.rounds}"
    common.write_results(args.results / "meshes", "Contacts of grains with meshes", command, rows)


if __name__ == "__main__":
    main()
