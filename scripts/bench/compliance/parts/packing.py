"""The bed of configs/settle.yaml after 1 s, beside that of the explicit method LIGGGHTS at the same Young's modulus.

Both start from the grains that scree places. LIGGGHTS (Debian package liggghts) has Hertz's contacts with Mindlin's tangents
with history, a restitution of 0.1, and a step of 3e-5 s at 1e8 Pa, 1e-4 s at 1e7; scree has steps of 2 ms and 0.5 ms, both its
laws, to 1e-4, without `damping`. Where there is no program `liggghts` its rows are left out, and a message says so.

packing     grains' volume over that of a column, 0.1 m off the walls and from 35 mm to 0.8 of the height below which 95 of
            100 centres are; by the chords of vertical lines 1 mm apart
coordination    contacts a grain: pairs that overlap count twice, those with walls once
overlap     of grains in contact over the smaller radius, with walls too: largest, mean
floor_over_weight   force on the floor over the weight of all grains, mean of the last 0.1 s
"""
import itertools
import pathlib
import shutil
import statistics

import h5py
import numpy
import scipy.spatial

import beds
import common
import softness_runs as runs

TITLE = "Bed of 5,000 spheres after 1 s, beside LIGGGHTS"
WIDTH, HEIGHT = 0.6, 1.4  # m, of the box
GRAVITY, DENSITY, MU, POISSON, RESTITUTION = 9.81, 2600.0, 0.4, 0.3, 0.1
LATE = 0.1  # s
EXPLICIT_STEP = {1e7: 1e-4, 1e8: 3e-5}  # s
LAWS = ("linear", "hertz")
STEPS = (2e-3, 5e-4)  # s
LINE = 1e-3  # m, between lines
INPUT = """\
atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
units si
processors 1 1 1
read_data grains.data
neighbor 0.004 bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype {young}
fix m2 all property/global poissonsRatio peratomtype {poisson}
fix m3 all property/global coefficientRestitution peratomtypepair 1 {restitution}
fix m4 all property/global coefficientFriction peratomtypepair 1 {mu}
pair_style gran model hertz tangential history
pair_coeff * *
timestep {dt}
fix weight all gravity {gravity} vector 0.0 0.0 -1.0
fix floor all wall/gran model hertz tangential history primitive type 1 zplane 0.0 store_force yes
fix left all wall/gran model hertz tangential history primitive type 1 xplane 0.0
fix right all wall/gran model hertz tangential history primitive type 1 xplane {width}
fix front all wall/gran model hertz tangential history primitive type 1 yplane 0.0
fix back all wall/gran model hertz tangential history primitive type 1 yplane {width}
fix move all nve/sphere
compute floor all reduce sum f_force_floor[3]
thermo_style custom step time atoms c_floor
thermo {every}
thermo_modify lost error norm no
run {steps}
dump last all custom 1 end.txt id x y z radius
dump_modify last format "%d %.17g %.17g %.17g %.17g"
run 0
"""


def packing(centres, radii):
    z = centres[:, 2]
    low, high = 0.035, 0.8 * numpy.quantile(z, 0.95)
    lines = numpy.arange(0.1, WIDTH - 0.1, LINE) + LINE / 2
    x, y = numpy.meshgrid(lines, lines)
    near = scipy.spatial.cKDTree(numpy.column_stack([x.ravel(), y.ravel()]))
    length = 0.0
    for (cx, cy, cz), radius in zip(centres, radii):
        at = near.data[near.query_ball_point([cx, cy], radius)]
        half = numpy.sqrt(numpy.maximum(radius**2 - ((at - [cx, cy])**2).sum(axis=1), 0))
        length += numpy.maximum(numpy.minimum(cz + half, high) - numpy.maximum(cz - half, low), 0).sum()
    return length / (len(near.data) * (high - low))


def overlaps(centres, radii):
    """Over the smaller radius: of the pairs in contact, and of grains with walls."""
    a, b = scipy.spatial.cKDTree(centres).query_pairs(2 * radii.max(), output_type="ndarray").T
    pairs = (radii[a] + radii[b] - numpy.linalg.norm(centres[a] - centres[b], axis=1)) / numpy.minimum(radii[a], radii[b])
    gaps = [centres[:, 2], centres[:, 0], WIDTH - centres[:, 0], centres[:, 1], WIDTH - centres[:, 1]]
    walls = numpy.concatenate([1 - gap / radii for gap in gaps])
    return pairs[pairs > 0], walls[walls > 0]


def row_of(code, young, dt, centres, radii, floor, seconds):
    weight = GRAVITY * DENSITY * 4 / 3 * numpy.pi * (radii**3).sum()
    pairs, walls = overlaps(centres, radii)
    both = numpy.concatenate([pairs, walls])
    return {"code": code, "E_Pa": runs.name_of(young), "dt_s": f"{dt:g}", "packing": f"{packing(centres, radii):.4f}",
            "coordination": f"{(2 * len(pairs) + len(walls)) / len(radii):.3f}",
            "overlap_largest": f"{both.max():.4f}", "overlap_mean": f"{both.mean():.4f}",
            "floor_over_weight": f"{floor / weight:.4f}", "cpu_s": f"{seconds:.1f}"}


def of_scree(young, law, dt, folder, end):
    seconds, _ = runs.run(runs.SETTLE, folder, [f"materials.gravel.young_modulus={young}", f"contact.law={law}",
                                                f"time.dt={dt}", f"time.end={end}", "output.snapshots.every=0"])
    floor = statistics.fmean(-row["force_z"] for row in common.table(folder, "tools")
                             if row["tool"] == "floor" and row["time"] > end - LATE)
    return row_of(f"scree, {law}", young, dt, *beds.grains(folder), floor, seconds)


def grains_at_start(run_folder):
    with h5py.File(min((run_folder / "snapshots").glob("*.hdf"))) as file:
        return file["VTKHDF/Points"][:], file["VTKHDF/PointData/radius"][:]


def of_liggghts(program, young, run_folder, folder, end):
    centres, radii = grains_at_start(run_folder)
    dt = EXPLICIT_STEP[young]
    steps = round(end / dt)
    lines = ["grains", "", f"{len(radii)} atoms", "1 atom types", "", f"-0.01 {WIDTH + 0.01} xlo xhi",
             f"-0.01 {WIDTH + 0.01} ylo yhi", f"-0.01 {HEIGHT} zlo zhi", "", "Atoms", ""]
    lines += [f"{i} 1 {2 * r:.17g} {DENSITY} {x:.17g} {y:.17g} {z:.17g}"
              for i, ((x, y, z), r) in enumerate(zip(centres, radii), 1)]
    (folder / "grains.data").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "in.settle").write_text(INPUT.format(young=young, poisson=POISSON, restitution=RESTITUTION, mu=MU, dt=dt,
                                                   gravity=GRAVITY, width=WIDTH, steps=steps, every=max(1, steps // 200)),
                                      encoding="utf-8")
    status, seconds, errors = runs.timed([program, "-in", "in.settle", "-screen", "none", "-log", "log.txt"], cwd=folder)
    if status:
        raise SystemExit(f"{program} ended with status {status}:\n{errors}")
    at_end = numpy.loadtxt(folder / "end.txt", skiprows=9)
    floor = statistics.fmean(force for time, force in floor_forces(folder / "log.txt") if time > end - LATE)
    return row_of("LIGGGHTS, Hertz", young, dt, at_end[:, 1:4], at_end[:, 4], abs(floor), seconds)


def floor_forces(log):
    """Time and force of the rows that LIGGGHTS's log holds."""
    for line in pathlib.Path(log).read_text(encoding="utf-8", errors="replace").splitlines():
        words = line.split()
        if len(words) == 4 and words[0].isdigit():
            yield float(words[1]), float(words[3])


def measure(study):
    program = shutil.which("liggghts")
    if not program:
        study.after = ["LIGGGHTS is not installed: its rows are left out."]
    end = 0.02 if study.short else 1.0
    for young in list(EXPLICIT_STEP)[:1] if study.short else EXPLICIT_STEP:
        for dt, law in itertools.product(STEPS[:1] if study.short else STEPS, LAWS):
            run_folder = study.folder / f"{runs.name_of(young)}-{law}-{dt:g}"
            study.add(of_scree(young, law, dt, run_folder, end))
        if program:
            folder = runs.folder_of(study.folder, f"{runs.name_of(young)}-liggghts")
            study.add(of_liggghts(program, young, run_folder, folder, end))
