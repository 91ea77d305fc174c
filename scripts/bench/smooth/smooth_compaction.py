"""Ellipsoids that a field draws together (paper 001, section 4.2, Table 2): what ReLCP and balls need for a step."""
import math
import statistics

import common
import smooth_scenes as scenes

AXES = [1.0, 0.5, 0.5]
VOLUME = 4.18879 * AXES[0] * AXES[1] * AXES[2]
FRACTION = 0.1  # of the cube that they fill at the start
SPEED = 0.5  # of an ellipsoid on which the field, 1, acts alone
GATHERING, PRESSED = 0.5, 2.0  # the steps in which they come together, and the time in which they then are pressed in steps of 0.1
STEPS, JUDGED = 4, 2  # of each method, from the same bodies; the last ones are judged
BALLS = (3, 7, 13, 17)
MOST_BALLS, FEW = 23, 1000  # so many balls, too, where there are few ellipsoids: a step of 10,000 would take ten minutes
COUNTS = (300, 10000)
SETTLING = 2.0  # time in which a bed of ellipsoids becomes one of balls: a lone one would go two minor radii
PAPER = {(3, 0.01): (2.0, 0.8), (7, 0.01): (9.3, 7), (13, 0.01): (34, 39), (17, 0.01): (58, 67), (23, 0.01): (103, 215),  # constraints, time over ReLCP's
         (3, 0.1): (2.0, 1.9), (7, 0.1): (9.7, 28), (13, 0.1): (34, 174), (17, 0.1): (62, 402), (23, 0.1): (121, 642)}
STAGES = ("domain", "contacts", "assemble", "solve", "advance")
TITLE = "Ellipsoids drawn together: ReLCP and balls (Table 2)"
NOTE = ("Spheroids of aspect 2, semi-axes 1, 0.5, 0.5, overdamped by their length, in the paper's field. They are drawn together from "
        "a tenth of space in steps of 0.5, then of 0.1, with their manifolds at the start and a tolerance of 1e-3; from the dense bed so made (which goes on for 20 "
        f"steps as bodies of balls, where these are what is measured) each method takes {STEPS} steps, of which the last {JUDGED} are "
        "judged: means. All are solved by `apgd` to a residual of 1e-6, which is 5e-6 of the minor radius in a step of 0.1. `updates`: "
        "constraints times iterations in a step, of all solves, which are the measure of its cost whatever else the machine does; "
        "`seconds`: wall clock of its stages. `overlap`: of the ellipsoids, over the minor radius. Detection keeps "
        "what a step can close, so that constraints are fewer than with the paper's fixed reach. 23 balls, and further numbers of ranks (ReLCP alone), are of the smaller bed.")


def bodies(count, fraction=FRACTION):
    """Half the edge of a cube about the origin, and so many ellipsoids at chance places in it."""
    half = 0.5 * (count * VOLUME / fraction) ** (1 / 3)
    return half, {"grains": {"material": "smooth", "shape": {"type": "ellipsoid", "semi_axes": AXES},
                             "place": {"type": "box", "low": [-half] * 3, "high": [half] * 3, "count": count, "seed": 1}}}


def dense_bed(folder, count):
    """A snapshot of the ellipsoids after all of them have come together."""
    half, grains = bodies(count)
    end = GATHERING * math.ceil(1.5 * half * 3**0.5 / SPEED / GATHERING)
    for name, dt, time in ("gather", GATHERING, end), ("compact", 0.1, PRESSED):
        scene = scenes.config(name, dt, time, grains, scenes.radial_field(-1), "manifold")
        scene |= {"solver": {"tolerance": 1e-3}, "output": {"snapshots": {"every": 0, "precision": "double"}}}
        output, _ = scenes.run(folder, f"{name}-{count}", scene)
        bed = sorted((output / "snapshots").glob("*.hdf"))[-1]
        grains = grains_of(bed)
    return bed


def grains_of(snapshot):
    return {"grains": {"material": "smooth", "place": {"type": "hdf5", "file": str(snapshot.resolve())}}}


def settled(folder, bed, balls):
    """A snapshot of the bed after it has gone on as bodies of that many balls, which lie within the ellipsoids."""
    scene = scenes.config("settle", 0.1, SETTLING, grains_of(bed), scenes.radial_field(-1), balls)
    scene |= {"solver": {"tolerance": 1e-3}, "contact": scene["contact"] | {"overlap_tolerance": 1e-2},
              "output": {"snapshots": {"every": 0, "precision": "double"}}}
    output, _ = scenes.run(folder, f"settled-{balls}", scene)
    return sorted((output / "snapshots").glob("*.hdf"))[-1]


def steps_of(folder, bed, contact, dt, ranks):
    """The rows of the judged steps of a method from the dense bed."""
    scene = scenes.config("step", dt, STEPS * dt, grains_of(bed), scenes.radial_field(-1), contact)
    scene |= {"solver": {"method": "apgd", "tolerance": 1e-6},
              "output": {"snapshots": {"every": 0, "start": False, "end": False}}}
    output, _ = scenes.run(folder, f"{contact}-{dt}-{ranks}", scene, ranks)
    return common.table(output)[-JUDGED:]


def seconds_of(steps):
    return statistics.mean(sum(s[f"seconds_{stage}"] for stage in STAGES) for s in steps)


def measure(folder, path, args):
    counts = [args.count] if args.count else [60] if args.short else COUNTS
    rows = []
    for count in counts:
        balls = (3, 7) if args.short else (*BALLS, MOST_BALLS) if count <= FEW else BALLS
        rows += rows_of(folder / str(count), count, balls, args.ranks if count == counts[0] else args.ranks[:1])
    return TITLE, rows, NOTE, [], None


def rows_of(folder, count, balls, ranks):
    """The methods beside each other, ReLCP on further numbers of ranks, too."""
    smooth, rows = dense_bed(folder, count), []
    beds = {contact: smooth if contact == "relcp" else settled(folder, smooth, contact) for contact in ("relcp", *balls)}
    for dt in (0.01, 0.1):
        for n in ranks:
            relcp = None
            for contact, bed in beds.items() if n == ranks[0] else [("relcp", smooth)]:
                steps = steps_of(folder, bed, contact, dt, n)
                constraints = statistics.mean(s["contacts"] for s in steps)
                updates = statistics.mean(s["contacts"] * s["iterations"] for s in steps)
                relcp = relcp or (constraints, updates)
                paper = PAPER.get((contact, dt), ("", ""))
                rows.append({"ellipsoids": count, "dt": dt, "ranks": n, "constraints": f"{contact} balls" if contact != "relcp" else "ReLCP",
                             "count": round(constraints), "over_relcp": f"{constraints / relcp[0]:.1f}", "paper": paper[0],
                             "updates": f"{updates:.1e}", "updates_over_relcp": f"{updates / relcp[1]:.1f}", "paper_time": paper[1],
                             "seconds": f"{seconds_of(steps):.2f}",
                             "recursions": f"{statistics.mean(s['recursions'] for s in steps):.1f}",
                             "overlap": f"{max(s['overlap'] for s in steps):.1e}",
                             "unsolved": sum(s["status"] != "converged" for s in steps)})
    return rows
