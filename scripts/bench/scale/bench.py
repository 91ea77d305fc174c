"""Parallel scale by counts: what a rank sends and waits for, on 1 to 64 ranks, and what that takes on a cluster.

  scripts/bench/run scale FOLDER [PART ...] [--ranks 1 2 4 8 16 32 64] [--whole] [--turns 5] [--suffix WORD]
      [--note WORDS] [--results FOLDER]

PART: weak (5,000 grains a rank), strong (100,000 grains), avalanche (configs/avalanche.yaml), two (seconds on two ranks,
and the model's), cluster; all where none is named. FOLDER gets the settled cell (cells.py), and keeps it. Ranks share the cores of
the machine: counts tell something, seconds of more ranks than cores do not. The libraries of the counts are built with
-DSCREE_BENCHMARKS=ON.

The bed starts to flow. Sweeps are those to the tolerance, of its first step, which starts from no impulses, and of the
last. Counts are of steps with a fixed number of sweeps, differences of runs that do more of one thing: a step without its
sweeps, and a sweep with its share of the checks; of each count that of the rank that has most. Imbalance: the largest of
all steps, and that of the last. The same bed on one rank, where --whole asks for it, tells by how much its division into
ranks adds to the sweeps.

avalanche: imbalance of configs/avalanche.yaml on 8 ranks, and the share of its time that new regions take.

two: seconds a step on two ranks, of each step the least of --turns runs, as others may use the cores; what two STREAM
triads reach together over one; and the model's step (model.py), whose constants are those of one rank and of a ping-pong.

cluster: the model's step with the counts of the table weak that is in the folder of results, its row of most ranks, whatever
the number of cores, and a network of 2 us and of 100 Gb/s for the 64 ranks of a node.
"""
import argparse
import csv
import pathlib
import statistics

import cells
import common
import counted
import model
import stream

SWEEPS = (40, 80)  # of the runs with a fixed number
STEPS = (3, 6)
CONVERGED_STEPS = 6
PARTS = ("weak", "strong", "avalanche", "two", "cluster")
STRONG = 20  # cells
AVALANCHE_RANKS = 8
BOUND = 1.1  # balance.bound, above which regions are cut anew


def fixed(sweeps):
    return {"method": "nsgs", "max_iterations": sweeps, "tolerance": 1e-14, "on_not_converged": "continue"}


def counts(folder, n_cells, ranks):
    """Of each rank: counts of a step without its sweeps, and of a sweep."""
    few, more = SWEEPS
    short, long = STEPS
    def run(steps, sweeps):
        return counted.run(cells.config(folder, n_cells, steps, fixed(sweeps)), ranks, folder)[0]
    base, steps, both = run(short, few), run(long, few), run(long, more)
    sweep = counted.each(both, steps, long * (more - few))
    step = counted.each(steps, base, long - short)
    return [s - k * few for s, k in zip(step, sweep)], sweep


def converged(folder, n_cells, ranks):
    """Steps to the tolerance."""
    return counted.run(cells.config(folder, n_cells, CONVERGED_STEPS, {"method": "nsgs", "tolerance": 1e-4}), ranks, folder)[1]


def row(folder, n_cells, ranks, whole):
    steps = converged(folder, n_cells, ranks)
    step, sweep = map(counted.largest, counts(folder, n_cells, ranks))
    last = steps[-1]
    result = {"ranks": ranks, "grains": n_cells * cells.GRAINS, "contacts": int(last["contacts"]),
              "sweeps_first": int(steps[0]["iterations"]), "sweeps_last": int(last["iterations"])}
    if whole:
        alone = steps if ranks == 1 else converged(folder, n_cells, 1)
        result["sweeps_over_one_rank_first"] = f"{steps[0]['iterations'] / alone[0]['iterations']:.2f}"
        result["sweeps_over_one_rank_last"] = f"{last['iterations'] / alone[-1]['iterations']:.2f}"
    print(result, flush=True)
    return result | {
        "imbalance_most": f"{max(s['imbalance'] for s in steps):.3f}", "imbalance_last": f"{last['imbalance']:.3f}",
        "ghosts_a_rank": round(last["ghosts"] / ranks), "neighbours": sweep.neighbours,
        "messages_a_step": f"{step.messages:.1f}", "kB_a_step": f"{step.bytes / 1e3:.1f}",
        "collectives_a_step": f"{step.collectives:.1f}",
        "messages_a_sweep": f"{sweep.messages:.2f}", "kB_a_sweep": f"{sweep.bytes / 1e3:.2f}",
        "collectives_a_sweep": f"{sweep.collectives:.2f}",
        "messages_a_sweep_and_neighbour": f"{sweep.messages / max(sweep.neighbours, 1):.2f}"}


def write_counts(args, name, cells_of, title):
    rows = [row(args.folder, cells_of(ranks), ranks, args.whole) for ranks in args.ranks]
    picture = model.draw_counts(args.results / f"{name}{args.suffix}.png", rows)
    common.write_results(args.results / f"{name}{args.suffix}", title, args.command, rows, args.note, picture=picture)


def avalanche(args):
    """What new regions cost: by how much steps that made them took longer, in the median, than other steps."""
    output = args.folder / "avalanche"
    common.run(common.ROOT / "configs" / "avalanche.yaml", output, AVALANCHE_RANKS)
    steps = common.table(output)[1:]  # the first regions know of no contacts
    cut = [s for s in steps if s["imbalance"] > BOUND]
    others = [s for s in steps if s["imbalance"] <= BOUND]
    def median(rows):
        return statistics.median(s["seconds_domain"] + s["seconds_contacts"] for s in rows)
    cost = len(cut) * (median(cut) - median(others)) if cut else 0.0
    rows = [{"ranks": AVALANCHE_RANKS, "steps": len(steps), "imbalance_most": f"{max(s['imbalance'] for s in steps):.3f}",
             "imbalance_mean": f"{statistics.mean(s['imbalance'] for s in steps):.3f}", "new_regions": len(cut),
             "grains_migrated": int(sum(s["migrated"] for s in steps)),
             "share_of_new_regions": f"{cost / sum(s['seconds_step'] for s in steps):.4f}"}]
    picture = model.draw_imbalance(args.results / "avalanche.png", steps)
    common.write_results(args.results / f"avalanche{args.suffix}", "Grains that slide into a corner", args.command, rows,
                         args.note, picture=picture)


def seconds_a_step(folder, n_cells, ranks, turns):
    """Of each step the least of some runs; their mean but for the first step's. And the last row of steps.csv."""
    runs = [counted.run(cells.config(folder, n_cells, STEPS[1], fixed(SWEEPS[1])), ranks, folder)[1] for _ in range(turns)]
    least = [min(run[step]["seconds_step"] for run in runs) for step in range(1, STEPS[1])]
    return sum(least) / len(least), runs[0][-1]


def constants_of(folder, network):
    (step,), (sweep,) = counts(folder, 1, 1)
    return model.constants(step, sweep, converged(folder, 1, 1)[-1], network)


def cluster(args):
    constants = constants_of(args.folder, model.CLUSTER)
    with open(args.results / f"weak{args.suffix}.csv", newline="", encoding="utf-8") as file:
        counts_of_most = max(csv.DictReader(file), key=lambda row: int(row["ranks"]))
    rows = []
    for ranks in (1, 64, 1024, 10_000):
        computing, messages = model.seconds(constants, model.load_of_table(counts_of_most, ranks))
        rows.append({"cores": ranks, "grains": ranks * cells.GRAINS, "sweeps": counts_of_most["sweeps_last"],
                     "computing_ms": f"{1e3 * computing:.2f}", "messages_ms": f"{1e3 * messages:.2f}",
                     "efficiency": f"{computing / (computing + messages):.2f}"})
    common.write_results(args.results / f"cluster{args.suffix}", "The model's step on a cluster, 5,000 grains a core", args.command,
                         rows, args.note, constants.lines())


def two(args):
    constants = constants_of(args.folder, counted.ping_pong())
    triads = stream.speed_up(2)
    rows = []
    for n_cells in (2, STRONG):
        one, _ = seconds_a_step(args.folder, n_cells, 1, args.turns)
        both, last = seconds_a_step(args.folder, n_cells, 2, args.turns)
        step, sweep = map(counted.largest, counts(args.folder, n_cells, 2))
        computing, messages = model.seconds(constants, model.load(last, 2, step, sweep, SWEEPS[1]))
        rows.append({"grains": n_cells * cells.GRAINS, "one_rank_s": f"{one:.4f}", "two_ranks_s": f"{both:.4f}",
                     "model_computing_s": f"{computing:.4f}", "model_messages_s": f"{messages:.5f}",
                     "model_over_two_ranks": f"{(computing + messages) / both:.2f}", "speed_up": f"{one / both:.2f}",
                     "two_triads_over_one": f"{triads:.2f}"})
    common.write_results(args.results / f"two{args.suffix}", "Two ranks, and the model", args.command, rows, args.note, constants.lines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--ranks", type=int, nargs="+", choices=[1, 2, 4, 8, 16, 32, 64], default=[1, 2, 4, 8, 16, 32, 64])
    parser.add_argument("--whole", action="store_true", help="each bed on one rank, too")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--suffix", default="", help="of the tables' names, as of those of another program ($SCREE_PROGRAM)")
    parser.add_argument("--note", default="", help="what the tables say of the machine")
    common.declare_results(parser)
    args = common.parse(parser, PARTS)
    args.folder.mkdir(parents=True, exist_ok=True)
    args.command = (f"scripts/bench/run scale FOLDER {' '.join(args.parts)} --ranks {' '.join(map(str, args.ranks))}"
                    f"{' --whole' if args.whole else ''} --turns {args.turns}")
    if "weak" in args.parts:
        write_counts(args, "weak", lambda ranks: ranks, "5,000 grains a rank")
    if "strong" in args.parts:
        write_counts(args, "strong", lambda ranks: STRONG, "100,000 grains")
    if "avalanche" in args.parts:
        avalanche(args)
    if "two" in args.parts:
        two(args)
    if "cluster" in args.parts:
        cluster(args)


if __name__ == "__main__":
    main()
