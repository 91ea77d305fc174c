"""Test Problem 4 of Kleinert, as far as it is known: a blade is drawn through a trench of 105,144 spheres."""
import statistics

import matplotlib.pyplot as plt
import numpy

import common
import draft
import job_chain
import picture

CONFIG = common.ROOT / "configs" / "trench-kleinert.yaml"
DT, FILLED = 2e-3, 1.0  # of that configuration; s
WINDOW, BLOCK = 0.25, 0.05  # s; the blade passes 10 mm in a block
VIEW = picture.View(middle=0.5, blade=(0.02, 0.5, 0.6), along=(-0.05, 1.15), top=0.8)


def row(tools, steps, low, high):
    times, force = draft.series(tools, "blade", "force_x")
    lift = draft.series(tools, "blade", "force_z")[1]
    chosen = [step for step in steps if low + 0.5 * DT < step["time"] < high + 0.5 * DT]

    def median(of):
        return statistics.median(of(step) for step in chosen)

    return {**draft.row(times, -force, lift, DT, low, high, BLOCK),
            "unsolved": sum(step["status"] != "converged" for step in chosen),
            "contacts_per_grain": f"{median(lambda s: s['contacts'] / s['bodies']):.2f}", "sweeps": round(median(lambda s: s["iterations"])),
            "step_s": f"{median(lambda s: s['seconds_step']):.3g}"}


def measure(args):
    run = args.folder / "kleinert"
    jobs = job_chain.chain(CONFIG, run, args.job)
    steps, tools = (common.table(run, name) for name in ("steps", "tools"))
    end = steps[-1]["time"]
    rows = [row(tools, steps, start, start + WINDOW) for start in numpy.arange(FILLED, end - 0.5 * WINDOW, WINDOW)]
    rows.append(row(tools, steps, FILLED + WINDOW, end))
    seconds = sum(job.processor_s for job in jobs)
    common.write_results(args.results / "kleinert", "Draft force in a trench of 105,144 spheres", "scripts/bench/run trench1m FOLDER kleinert",
                         rows, args.note, picture="kleinert.png",
                         after=[f"{len(steps)} steps with the filling took {seconds:.0f} processor seconds and "
                                f"{jobs[-1].peak_bytes / 1e3 / steps[-1]['bodies']:.2f} kB a grain."])
    figure = plt.figure(figsize=(9, 9), layout="constrained")
    picture.draw(run, figure, tools, VIEW)
    figure.savefig(args.results / "kleinert.png", dpi=70)
