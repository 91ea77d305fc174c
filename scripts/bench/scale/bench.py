"""Parallel scale by counts: what a rank sends and waits for, on 1 to 64 ranks, and what that takes on a cluster.

  scripts/bench/run scale FOLDER [PART ...] [--ranks 1 2 4 8 16 32 64] [--whole] [--turns 5] [--suffix WORD]
      [--note WORDS] [--results FOLDER]

PART: weak (5,000 grains a rank), strong (100,000 grains), avalanche (configs/avalanche.yaml), two (seconds on two ranks,
and the model's), cluster, iterations (20,000 grains), problem (a million contacts), kinds, mixed, large (beds of balls and of other shapes);
all where none is named. FOLDER gets the settled cell (cells.py), and keeps it. Ranks share the cores of the machine: counts tell
something, seconds of more ranks than cores do not. The libraries of the counts are built with -DSCREE_BENCHMARKS=ON.

The bed starts to flow. Sweeps are those to the tolerance, of its first step, which starts from no impulses, and of the
last. Counts are of steps with a fixed number of sweeps, differences of runs that do more of one thing: a step without its
sweeps, and a sweep with its share of the checks; of each count that of the rank that has most. Imbalance: the largest of
all steps, and that of the last. The same bed on one rank, where --whole asks for it, tells by how much its division into
ranks adds to the sweeps.

avalanche: imbalance of configs/avalanche.yaml on 8 ranks, and the share of its time that new regions take.

two: seconds a step on two ranks, of each step the least of --turns runs, as others may use the cores, and so of all times; what two STREAM
triads reach together over one; computing_, the processor seconds outside of MPI of the busier rank, which others who use the
cores disturb less; and the model's step (model.py), whose constants are those of one rank and of a ping-pong.

iterations: of solves of the first step's problem, each method to one residual on all --ranks; krylov: those of
the linear solver in all Newton steps together.

problem: a bed's problem of a million contacts, written by four ranks and solved by two.

kinds: seconds a contact and step of beds of one kind of shape, by stages, 20 sweeps in each. mixed: one half of the bed balls, the
other of another kind, on one and two ranks. large: 100,000 grains of a kind on one and two ranks: steps of 10 sweeps, a sweep with its share of
the checks, which is the difference to steps of 110, and what of a step is no sweep, the solver's packing and measuring with it.

cluster: the model's step with the counts of the table weak that is in the folder of results, its row of most ranks, whatever
the number of cores, and a network of 2 us a message and 100 Gb/s a node (model.py).
"""
import argparse
import csv
import dataclasses
import pathlib
import statistics

import cells
import common
import counted
import kinds
import large
import model
import solved
import stream


@dataclasses.dataclass(frozen=True)
class Plan:
    """Of runs with fixed numbers of steps and sweeps, whose differences tell what a step and a sweep take."""
    few_steps: int
    steps: int
    few_sweeps: int
    sweeps: int
    turns: int = 1


COUNTED = Plan(3, 6, 40, 80)
TIMED = Plan(3, 9, 50, 300)
CONVERGED_STEPS = 6
PARTS = ("weak", "strong", "avalanche", "two", "cluster", "iterations", "problem", "kinds", "mixed", "large")
STRONG = 20  # cells
AVALANCHE_RANKS = 8
BOUND = 1.1  # balance.bound, above which regions are cut anew


def fixed(sweeps):
    return {"method": "nsgs", "max_iterations": sweeps, "tolerance": 1e-14, "on_not_converged": "continue"}


def counts(folder, n_cells, ranks, plan=COUNTED):
    """Of each rank: counts of a step without its sweeps, and of a sweep; and the steps of the longest run."""
    def run(steps, sweeps):
        return counted.run_least(cells.config(folder, n_cells, steps, fixed(sweeps)), ranks, folder, plan.turns)
    (base, _), (steps, _) = run(plan.few_steps, plan.few_sweeps), run(plan.steps, plan.few_sweeps)
    both, table = run(plan.steps, plan.sweeps)
    sweep = counted.each(both, steps, plan.steps * (plan.sweeps - plan.few_sweeps))
    step = counted.each(steps, base, plan.steps - plan.few_steps)
    return [s - k * plan.few_sweeps for s, k in zip(step, sweep)], sweep, table


def converged(folder, n_cells, ranks):
    """Steps to the tolerance."""
    return counted.run(cells.config(folder, n_cells, CONVERGED_STEPS, {"method": "nsgs", "tolerance": 1e-4}), ranks, folder)[1]


def row(folder, n_cells, ranks, whole):
    steps = converged(folder, n_cells, ranks)
    step, sweep = map(counted.largest, counts(folder, n_cells, ranks)[:2])
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
    after = [later for s, later in zip(steps, steps[1:]) if s["imbalance"] > BOUND]
    def median(rows):
        return statistics.median(s["seconds_domain"] + s["seconds_contacts"] for s in rows)
    cost = len(cut) * (median(cut) - median(others)) if cut else 0.0
    rows = [{"ranks": AVALANCHE_RANKS, "steps": len(steps), "imbalance_most": f"{max(s['imbalance'] for s in steps):.3f}",
             "imbalance_mean": f"{statistics.mean(s['imbalance'] for s in steps):.3f}", "new_regions": len(cut),
             "imbalance_before": f"{statistics.median(s['imbalance'] for s in cut):.3f}" if cut else "-",
             "imbalance_after": f"{statistics.median(s['imbalance'] for s in after):.3f}" if after else "-",
             "grains_migrated": int(sum(s["migrated"] for s in steps)),
             "share_of_new_regions": f"{cost / sum(s['seconds_step'] for s in steps):.4f}"}]
    picture = model.draw_imbalance(args.results / "avalanche.png", steps)
    common.write_results(args.results / f"avalanche{args.suffix}", "Grains that slide into a corner", args.command, rows,
                         args.note, picture=picture)


def constants_of(folder, n_cells, turns, network):
    """Those of one rank with so many cells."""
    (step,), (sweep,), table = counts(folder, n_cells, 1, dataclasses.replace(TIMED, turns=turns))
    return model.constants(step, sweep, table[-1], network)


def cluster(args):
    constants = constants_of(args.folder, 1, args.turns, model.CLUSTER)
    with open(args.results / f"weak{args.suffix}.csv", newline="", encoding="utf-8") as file:
        counts_of_most = max(csv.DictReader(file), key=lambda row: int(row["ranks"]))
    rows = []
    for ranks in (1, 64, 1024, 10_000):
        computing, messages = model.seconds(constants, model.load_of_table(counts_of_most, ranks))
        rows.append({"cores": ranks, "grains": ranks * cells.GRAINS, "sweeps": counts_of_most["sweeps_last"],
                     "computing_ms": f"{1e3 * computing:.2f}", "messages_ms": f"{1e3 * messages:.2f}",
                     "efficiency": f"{computing / (computing + messages):.2f}"})
    common.write_results(args.results / f"cluster{args.suffix}", "The model's step on a cluster, 5,000 grains a core", args.command,
                         rows, args.note, constants.lines(cells.GRAINS))


@dataclasses.dataclass(frozen=True)
class Timed:
    """A step of a bed on some ranks."""
    wall: float  # s, the mean of all steps but the first, of each the least of all runs
    computing: float  # s, of a processor outside of MPI, on the rank that has most
    load: model.Load


def timed(folder, n_cells, ranks, turns):
    *both, table = counts(folder, n_cells, ranks, dataclasses.replace(TIMED, turns=turns))
    step, sweep = map(counted.largest, both)
    wall = statistics.mean(row["seconds_step"] for row in table[1:])
    return Timed(wall, step.seconds + TIMED.sweeps * sweep.seconds, model.load(table[-1], ranks, step, sweep, TIMED.sweeps))


def two(args):
    network = counted.ping_pong()
    triads = stream.speed_up(2)
    rows, lines = [], []
    for n_cells in (2, STRONG):
        one, both = (timed(args.folder, n_cells, ranks, args.turns) for ranks in (1, 2))
        constants = constants_of(args.folder, n_cells // 2, args.turns, network)
        lines += constants.lines(n_cells // 2 * cells.GRAINS)
        computing, messages = model.seconds(constants, both.load)
        rows.append({"grains": n_cells * cells.GRAINS, "one_rank_s": f"{one.wall:.4f}", "two_ranks_s": f"{both.wall:.4f}",
                     "model_s": f"{computing + messages:.4f}", "model_over_two_ranks": f"{(computing + messages) / both.wall:.2f}",
                     "speed_up": f"{one.wall / both.wall:.2f}", "two_triads_over_one": f"{triads:.2f}",
                     "computing_one_rank_s": f"{one.computing:.4f}", "computing_two_ranks_s": f"{both.computing:.4f}",
                     "model_computing_s": f"{computing:.4f}", "model_over_computing": f"{computing / both.computing:.2f}",
                     "speed_up_of_computing": f"{one.computing / both.computing:.2f}"})
    common.write_results(args.results / f"two{args.suffix}", "Two ranks, and the model", args.command, rows, args.note, lines)


def write(args, name, title, rows):
    """A table without a picture."""
    common.write_results(args.results / f"{name}{args.suffix}", title, args.command, rows, args.note)


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
    if "iterations" in args.parts:
        write(args, "iterations", "One problem by several methods on any number of ranks", solved.iterations(args.folder, args.ranks))
    if "problem" in args.parts:
        write(args, "problem", "A problem of a million contacts", [solved.large(args.folder)])
    if "kinds" in args.parts:
        write(args, "kinds", "What a contact of each kind of shape takes", kinds.kinds(args.folder))
    if "mixed" in args.parts:
        write(args, "mixed", "A bed of balls and others on two ranks", kinds.mixed(args.folder))
    if "large" in args.parts:
        write(args, "large", "Beds of 100,000 grains of a kind on one and two ranks", large.large(args.folder, args.turns))


if __name__ == "__main__":
    main()
