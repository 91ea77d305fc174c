"""Loose ellipsoids fall into a box and settle, with friction and without: what ReLCP takes beside one constraint a pair."""
import statistics

import common
import smooth_scenes as scenes

EDGE, HEIGHT = 0.3, 1.0  # of the box that they fall into, and up to which they are placed
DT, END, LOOSE = 2.0e-3, 0.6, 0.2  # of the run; up to which they are told as loose
COUNT = 1000
TITLE = "Ellipsoids settle, with friction and without"
NOTE = (f"Ellipsoids of the semi-axes 20, 10 and 8 mm are placed without overlap in a box of {EDGE} x {EDGE} m, fall, and settle; steps "
        f"of {1e3 * DT:g} ms, a residual of 1e-5, all other keys as they are by themselves; ReLCP with an overlap of 1e-5 of the "
        f"inscribed radius. Up to {LOOSE} s they are loose, from then to {END} s they come to rest. Means over steps; `ms`: of a step, "
        "`over_single`: over that of one constraint a pair in the same scene; `overlap`: the largest, over the inscribed radius.")


def config(count, mu, constraints):
    walls = {"left": ([0, 0, 0], [1, 0, 0]), "right": ([EDGE, 0, 0], [-1, 0, 0]), "front": ([0, 0, 0], [0, 1, 0]),
             "back": ([0, EDGE, 0], [0, -1, 0]), "floor": ([0, 0, 0], [0, 0, 1])}
    return {"name": "settling", "time": {"dt": DT, "end": END}, "materials": {"grain": {"density": 2500}},
            "friction": [{"between": ["grain", "grain"], "mu": mu}],
            "bodies": {"grains": {"material": "grain", "shape": {"type": "ellipsoid", "semi_axes": [0.02, 0.01, 0.008]},
                                  "place": {"type": "box", "low": [0, 0, 0], "high": [EDGE, EDGE, HEIGHT], "count": count, "seed": 1}}},
            "tools": {name: {"material": "grain", "shape": {"type": "plane"}, "position": place, "normal": normal}
                      for name, (place, normal) in walls.items()},
            "contact": {"constraints": constraints}, "solver": {"tolerance": 1.0e-5},
            "output": {"snapshots": {"every": 0, "start": False, "end": False}}}


def mean(steps, key):
    return statistics.mean(step[key] for step in steps)


def rows_of(folder, count, mu, ranks):
    """Of each way of constraints its steps while grains are loose, and afterwards."""
    rows, of_single = [], {}
    for constraints in ("single", "relcp"):
        output, _ = scenes.run(folder, f"{constraints}-{mu}-{count}-{ranks}", config(count, mu, constraints), ranks)
        steps = common.table(output)
        for phase, some in (("loose", [s for s in steps if s["time"] <= LOOSE]), ("settling", [s for s in steps if s["time"] > LOOSE])):
            ms = 1e3 * mean(some, "seconds_step")
            of_single.setdefault(phase, ms)
            rows.append({"grains": count, "ranks": ranks, "mu": mu, "phase": phase, "constraints": constraints,
                         "rows": round(mean(some, "contacts")), "recursions": f"{mean(some, 'recursions'):.1f}",
                         "iterations": round(mean(some, "iterations")), "ms": f"{ms:.2f}", "over_single": f"{ms / of_single[phase]:.1f}",
                         "overlap": f"{max(s['overlap'] for s in some):.0e}",
                         "unsolved": sum(s["status"] != "converged" for s in some)})
    return rows


def measure(folder, path, args):
    count = args.count or (40 if args.short else COUNT)
    rows = [row for ranks in args.ranks for mu in (0.0, 0.4) for row in rows_of(folder, count, mu, ranks)]
    return TITLE, rows, NOTE, [], None
