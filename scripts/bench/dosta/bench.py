"""Bulk processes that eight DEM codes have run: a drum, a silo and an impact, beside their curves.

  scripts/bench/run dosta [drum] [silo] [silo_m2] [silo_small] [impact] [corner] [--walls analytic mesh] [--places FOLDER] [--end 5] [--ranks 1]
                          [--results FOLDER] [--runs FOLDER]

configs/dosta-drum.yaml, dosta-silo.yaml and dosta-impact.yaml; what others count is in published.py. Drum and silo have
analytic walls and meshes. --places has the first beds of drum and impact as the benchmark gives them, drum_m1.csv.gz,
drum_m2.csv.gz and impact25k.csv.gz (x, y, z, r in m); without it they are filled anew. impact has five beds then: that one,
and four where each coordinate of the grains is moved by up to a hundredth of a radius. corner, which needs it: a
smaller impact, the grains of its bed within 20 mm of the middle, walls there, the ball from z = -0.035 m. silo_m2: the silo with
the benchmark's other grains; silo_small: with its smaller orifice, of radius 0.02 m; both with analytic walls, and without
others' numbers. --end: seconds
that the drum turns; a run that --runs holds is taken, whatever its length, and has `-` where it has ended.
--runs keeps the runs, and takes those that it holds in place of running them again. Seconds are those of the processors.
"""
import argparse
import gzip
import json
import pathlib
import resource
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import common
import published
import turned_walls
from beds import grains_over_time

DRUM_TURNS = 0.3  # s, when the drum of the configuration begins to turn
AROUND = 360  # sides of a mesh
BEDS = 5  # of the impact: the one given, and four where grains are moved
IMPACT_DT = 8e-6  # s


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(args, name, config, settings):
    """The folder of a run, and its processor seconds."""
    folder, kept = args.runs / name, args.runs / f"{name}.json"
    if not kept.exists():
        before = processor_seconds()
        common.run(common.ROOT / "configs" / config, folder, ranks=args.ranks, overrides=settings)
        kept.write_text(json.dumps(processor_seconds() - before), encoding="utf-8")
    return folder, json.loads(kept.read_text(encoding="utf-8"))


def mesh(args, name, profile):
    args.runs.mkdir(parents=True, exist_ok=True)
    path = (args.runs / f"{name}.stl").resolve()
    turned_walls.write_turned(path, profile, AROUND)
    return f"{{type: mesh, file: {path}}}"


def given_bed(args, group, file, seed=0):
    """The settings by which a group begins at the benchmark's places, or, with a seed, where each coordinate is moved by up to
    a hundredth of a radius.
    """
    path = (args.runs / f"{file}{f'-{seed}' if seed else ''}.csv").resolve()
    head, *lines = gzip.decompress((args.places / f"{file}.csv.gz").read_bytes()).decode().splitlines()
    grains = numpy.array([line.split(",") for line in lines], dtype=float)
    if seed:
        grains[:, :3] += grains[:, 3:] * numpy.random.default_rng(seed).uniform(-0.01, 0.01, (len(grains), 3))
    numpy.savetxt(path, grains, fmt="%.9g", delimiter=",", header=head, comments="")
    return [f"bodies.{group}.place={{type: csv, file: {path}}}", f"bodies.{group}.radii={{type: file}}"]


def given_drum(args):
    """The settings by which the drum begins with the benchmark's bed."""
    return [f"time.end={args.end}", *(f"tools.{tool}.motion.start=0" for tool in ("drum", "front", "back")),
            *given_bed(args, "small", "drum_m1"), *given_bed(args, "large", "drum_m2")]


def quality(folder):
    """Of all steps of a run in which grains are: how many ended unsolved, the largest overlap over the radius, the mean number of
    sweeps."""
    steps = [step for step in common.table(folder) if step["bodies"]]
    return {"steps": len(steps), "unsolved": sum(s["status"] != "converged" for s in steps),
            "largest_penetration": f"{max(s['penetration'] for s in steps):.3f}",
            "mean_iterations": f"{numpy.mean([s['iterations'] for s in steps]):.0f}"}


def drum(args):
    args.runs.mkdir(parents=True, exist_ok=True)
    settings = given_drum(args) if args.places else [f"time.end={args.end + DRUM_TURNS}"]
    turns = 0.0 if args.places else DRUM_TURNS
    counts, costs = {}, []
    for kind in args.walls:
        shape = [f"tools.drum.shape={mesh(args, 'drum', [(0.1, -0.04), (0.1, 0.04)])}"] if kind == "mesh" else []
        folder, seconds = run(args, f"drum-{kind}", "dosta-drum.yaml", settings + shape)
        counts[kind] = zones(folder, turns)
        costs.append({"scene": "drum", "walls": kind, **quality(folder), "processor_s": f"{seconds:.0f}"})
    rows = []
    last = max(times[-1] for of in counts.values() for times, _ in of.values())
    for name, others in published.DRUM.items():
        for k, time in enumerate(published.DRUM_TIMES[published.DRUM_TIMES <= last]):
            rows.append({"count": name, "time_s": time,
                         **{kind: at(time, *counts[kind][name]) for kind in counts},
                         **{code: values[k] for code, values in others.items()}})
    peaks = []
    for kind, of in counts.items():
        time, number = of["M1 in zone 2"]
        best = int(numpy.argmax(number * (time < 1)))
        peaks.append(f"- {kind} walls: {number[best]} of M1 in zone 2 at {time[best]:.2f} s, the first peak; LIGGGHTS "
                     f"{published.DRUM_FIRST_PEAK['LIGGGHTS']} and MUSEN {published.DRUM_FIRST_PEAK['MUSEN']} at 0.6 s")
    plot(args.results / "drum.png", counts, published.DRUM, published.DRUM_TIMES)
    common.write_results(args.results / "drum", f"Grains in two quarters of the drum, from {beds_name(args)}",
                         command("drum", args), rows, after=peaks, picture="drum.png")
    return costs


def zones(folder, start):
    """Counts of the drum over the time since it began to turn: name to (times, numbers)."""
    times, found = [], {name: [] for name in published.DRUM}
    for time, place, radius in grains_over_time(folder):
        small = radius < 0.0015
        in_1, in_2 = ((sign * place[:, 0] > 0) & (sign * place[:, 2] > 0) for sign in (1, -1))
        times.append(time - start)
        for name, where in zip(published.DRUM, (small & in_2, ~small & in_2, small & in_1)):
            found[name].append(int(where.sum()))
    return {name: (numpy.array(times), numpy.array(numbers)) for name, numbers in found.items()}


OTHER_GRAINS = ["materials.M1.density=2000", "friction[M1,M1].mu=0.4", "friction[M1,M1].restitution=0.4"]
SMALL_LIP, SMALL_TOP = -0.0593008, 0.0207  # z of the cone's ends, m
SMALL_ORIFICE = ["time.end=21", "stages[flow].until.duration=20", f"keep_inside.low=[-0.11, -0.11, {SMALL_LIP}]",
                 f"bodies.fill.place.base=[0, 0, {SMALL_TOP}]", f"tools.cylinder.position=[0, 0, {SMALL_TOP}]",
                 f"tools.cone.shape={{type: hollow_cone, low_radius: 0.02, high_radius: 0.1, height: {SMALL_TOP - SMALL_LIP}}}",
                 f"tools.cone.position=[0, 0, {SMALL_LIP}]", f"tools.gate.position=[0, 0, {SMALL_LIP - 0.01}]"]


def silo(args):
    shapes = {"analytic": []}
    if "mesh" in args.walls:
        shapes["mesh"] = [f"tools.cone.shape={mesh(args, 'cone', [(0.03, 0), (0.1, 0.0700222)])}",
                          f"tools.cylinder.shape={mesh(args, 'cylinder', [(0.1, 0), (0.1, 0.3)])}"]
    return flow_out(args, "silo", {kind: shapes[kind] for kind in args.walls}, published.SILO, published.SILO_TIMES,
                    f"; LIGGGHTS {published.SILO_RATE['LIGGGHTS']:.0f}, MUSEN {published.SILO_RATE['MUSEN']:.0f}")


def silo_m2(args):
    return flow_out(args, "silo_m2", {"analytic": OTHER_GRAINS}, {}, published.SILO_TIMES)


def silo_small(args):
    return flow_out(args, "silo_small", {"analytic": SMALL_ORIFICE}, {}, numpy.arange(1, 16))


def flow_out(args, scene, settings, others, counted, their_rate=""):
    """Runs of the silo with @p settings by kind of walls, and their table."""
    counts, costs = {}, []
    for kind, own in settings.items():
        folder, seconds = run(args, f"{scene}-{kind}", "dosta-silo.yaml", own)
        flow = [step for step in common.table(folder) if step["stage"] == 2]
        opened = flow[0]["time"] - flow[0]["dt"]
        counts[kind] = {"grains in the silo": (numpy.array([s["time"] - opened for s in flow]),
                                               numpy.array([s["bodies"] for s in flow]))}
        costs.append({"scene": scene, "walls": kind, **quality(folder), "processor_s": f"{seconds:.0f}"})
    rows = [{"time_s": time, **{kind: at(time, *of["grains in the silo"]) for kind, of in counts.items()},
             **{code: values[k] for code, values in others.items()}} for k, time in enumerate(counted)]
    rates = []
    for kind, of in counts.items():
        times, numbers = of["grains in the silo"]
        if times[-1] < 3.5:
            continue
        first, last = numpy.interp([0.5, 3.5], times, numbers)
        rates.append(f"- {kind} walls: {(first - last) / 3:.0f} grains a second from 0.5 to 3.5 s{their_rate}")
    plot(args.results / f"{scene}.png", counts, {"grains in the silo": others}, counted)
    common.write_results(args.results / scene, "Grains above the lip of the silo, from a filling of its own", command(scene, args), rows,
                         after=rates, picture=f"{scene}.png")
    return costs


def impact(args):
    """The ball into the bed, into five beds where the benchmark's is given."""
    args.runs.mkdir(parents=True, exist_ok=True)
    ways, costs = [], []
    for seed in range(BEDS if args.places else 1):
        settings = [*falls_at_once(0.06, IMPACT_DT), *given_bed(args, "bed", "impact25k", seed)] if args.places else []
        folder, seconds = run(args, f"impact-{seed}", "dosta-impact.yaml", settings)
        ways.append(way_of_ball(folder, 0.06))
        costs.append({"scene": "impact", "walls": "analytic", "seed": seed, **quality(folder), "processor_s": f"{seconds:.0f}"})
    places = numpy.array([numpy.interp(published.IMPACT_TIMES, times, depth) for times, depth, _ in ways])
    figures = {"deepest, mm": [depth.min() for _, depth, _ in ways], "rebound, m/s": [rebound for *_, rebound in ways],
               "deepest at, s": [times[depth.argmin()] for times, depth, _ in ways]}
    here = published.IMPACT_HERE
    rows = [{"time_s": time, "scree_mm": f"{places[:, k].mean():.2f}", "scree_deviation_mm": deviation(places[:, k], ".2f"),
             **{f"{name}_mm": values[k] for name, values in published.IMPACT.items()},
             "their_deviation_mm": published.IMPACT_DEVIATION[k],
             "LIGGGHTS_on_this_bed_mm": dict(zip(here["time_s"], here["depth_mm"])).get(time, "-")}
            for k, time in enumerate(published.IMPACT_TIMES)]
    others = {"deepest, mm": (published.IMPACT_DEEPEST, here["deepest_mm"]), "rebound, m/s": (published.IMPACT_REBOUND, here["rebound_m_s"])}
    after = [f"- {name}: {numpy.mean(values):.4g}, deviation {deviation(values, '.2g')} over {len(ways)} bed{'s' * (len(ways) > 1)}"
             + (f"; the other codes {others[name][0][0]} to {others[name][0][1]}, LIGGGHTS on this bed {others[name][1]}" if name in others else "")
             for name, values in figures.items()]
    counts = {f"bed {seed + 1}": {"depth of the ball, mm": way[:2]} for seed, way in enumerate(ways)}
    plot(args.results / "impact.png", counts, {"depth of the ball, mm": published.IMPACT}, published.IMPACT_TIMES)
    common.write_results(args.results / "impact", f"A ball of steel into {beds_name(args)}", command("impact", args), rows,
                         after=after, picture="impact.png")
    return costs


def deviation(values, form):
    """The standard deviation of figures of several beds."""
    return format(numpy.std(values, ddof=1), form) if len(values) > 1 else "-"


def falls_at_once(height, dt):
    """The settings by which the ball is at its start at the end of the first step, when its second stage begins."""
    return ["stages[settle].until.duration=1e-9", f"time.dt={dt}", f"tools.ball.position=[0, 0, {height + 5 * dt}]"]


def way_of_ball(folder, start):
    """Times since it falls freely, s, its depth below its start, mm, and the speed of its rebound, m/s."""
    begins = next(step["time"] - step["dt"] for step in common.table(folder) if step["stage"] == 2)
    ball = [row for row in common.table(folder, "tools") if row["tool"] == "ball" and row["time"] >= begins]
    times = numpy.array([row["time"] for row in ball]) - begins
    depth = 1e3 * (numpy.array([row["position_z"] for row in ball]) - start)
    return times, depth, max(row["velocity_z"] for row in ball)


def corner(args):
    half, start = 0.02, -0.035
    args.runs.mkdir(parents=True, exist_ok=True)
    bed = given_bed(args, "bed", "impact25k")
    path = args.runs / "impact25k.csv"
    head, *grains = path.read_text(encoding="utf-8").splitlines()
    within = [line for line in grains if max(abs(float(x)) for x in line.split(",")[:2]) <= half - 0.001]
    path.write_text("\n".join([head, *within]) + "\n", encoding="utf-8")
    walls = [f"tools.{tool}.position={place}" for tool, place in
             (("left", [-half, 0, 0]), ("right", [half, 0, 0]), ("front", [0, -half, 0]), ("back", [0, half, 0]))]
    rows = []
    for name, modulus, dt in (("rigid", 0.0, 1e-4), ("1e8", 1e8, 1e-5), ("1e9", 1e9, 8e-6), ("1e9", 1e9, 4e-6)):
        settings = [*bed, *walls, *falls_at_once(start, dt), f"materials.M1.young_modulus={modulus}",
                    f"materials.steel.young_modulus={210 * modulus}", "stages[impact].until.duration=0.031",
                    "output.snapshots.every=0"]
        folder, seconds = run(args, f"corner-{name}-{dt:g}", "dosta-impact.yaml", settings)
        _, depth, rebound = way_of_ball(folder, start)
        others = published.CORNER.get(modulus, {})
        rows.append({"E_Pa": name, "dt_s": dt, "deepest_mm": f"{depth.min():.2f}", "rebound_m_s": f"{rebound:.3f}",
                     "processor_s": f"{seconds:.0f}", **{f"LIGGGHTS_{key}": others.get(key, "-") for key in published.CORNER[1e9]},
                     **quality(folder)})
    common.write_results(args.results / "corner", f"A ball of steel into {len(within)} grains of the benchmark's bed",
                         "scripts/bench/run dosta corner --places FOLDER", rows)
    return []  # they stand in the table


def beds_name(args):
    return "the benchmark's bed" if args.places else "a bed of its own filling"


def at(time, times, numbers):
    """A count at a time; - where the run ends before."""
    return round(float(numpy.interp(time, times, numbers))) if time <= times[-1] + 1e-9 else "-"


def plot(path, counts, others, times):
    """One panel a count: lines of ours, marks of others."""
    figure, panels = plt.subplots(1, len(others), figsize=(5 * len(others), 4), layout="constrained", squeeze=False)
    for axes, (name, codes) in zip(panels[0], others.items()):
        for kind, of in counts.items():
            axes.plot(*of[name], label=f"scree, {kind}")
        for (code, values), mark in zip(codes.items(), "ox"):
            axes.plot(times, values, mark, color="black", fillstyle="none", label=code)
        axes.set(xlabel="time, s", ylabel=name, xlim=(0, None))
        axes.set_ylim(**({"top": 0} if any(min(values) < 0 for values in codes.values()) else {"bottom": 0}))
    panels[0][0].legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def command(scene, args):
    walls = ["--walls", *args.walls] if scene in ("drum", "silo", "impact") else []
    return " ".join(["scripts/bench/run dosta", scene, *walls, *(["--places FOLDER"] if args.places else [])])


SCENES = {"drum": drum, "silo": silo, "silo_m2": silo_m2, "silo_small": silo_small, "impact": impact, "corner": corner}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="SCENE", help=", ".join(SCENES))
    parser.add_argument("--walls", nargs="+", choices=["analytic", "mesh"], default=["analytic", "mesh"])
    parser.add_argument("--places", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--end", type=float, default=5.0)
    parser.add_argument("--ranks", type=int, default=1)
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    args = common.parse(parser, SCENES)
    if "corner" in args.parts and not args.places:
        parser.error("corner is a part of the benchmark's bed: give --places")
    with tempfile.TemporaryDirectory() as folder:
        args.runs = args.runs or pathlib.Path(folder)
        for scene in args.parts:
            costs = SCENES[scene](args)
            if costs:
                common.write_results(args.results / f"{scene}-cost", "What the runs cost", command(scene, args), costs)


if __name__ == "__main__":
    main()
