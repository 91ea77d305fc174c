"""What a ReLCP step of many ellipsoids is made of."""
import statistics

import smooth_compaction as compaction

TITLE = "Seconds of a ReLCP step by its stages"
NOTE = ("Dense beds as in the table compaction, steps of 0.1: means, of which the shares count where the machine does other work, too, "
        "and where ranks wait for a core, not even these. Separation: broad and narrow phase, of the start and of each trial; domain: "
        "owners, migration, ghosts, numbering. On further numbers of ranks: the smaller bed alone.")


def measure(folder, path, args):
    counts = [args.count] if args.count else [60] if args.short else [1000, 10000]
    rows = [row(folder / str(count), count, n) for count in counts for n in (args.ranks if count == counts[0] else args.ranks[:1])]
    return TITLE, rows, NOTE, [], None


def row(folder, count, n):
    steps = compaction.steps_of(folder, compaction.dense_bed(folder, count), "relcp", 0.1, n)
    means = {stage: statistics.mean(s[f"seconds_{stage}"] for s in steps) for stage in compaction.STAGES}
    names = {"contacts": "separation", "assemble": "assembly"}
    return {"ellipsoids": count, "ranks": n, "constraints": round(statistics.mean(s["contacts"] for s in steps)),
            "recursions": f"{statistics.mean(s['recursions'] for s in steps):.1f}",
            **{names.get(stage, stage): f"{value:.4f}" for stage, value in means.items()},
            "solver": steps[-1]["solver"], "iterations": round(statistics.mean(s["iterations"] for s in steps)),
            "unsolved": sum(s["status"] != "converged" for s in steps)}
