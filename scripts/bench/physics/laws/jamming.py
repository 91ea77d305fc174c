"""Spheres without friction come to rest where they jam: solid fraction 0.64, six contacts a grain.

Spheres (radii spread by 10 %, against crystals) fall on a rough floor, in a cell that is periodic across, so that
there are no walls, and rest there; then steps of twice the length and 1e-6 of residual let them sink to their places.
Density and contacts are those of the bulk: from 4 d above the floor to 4 d below the surface. A contact is a pair
whose normal impulse exceeds 1e-3 of the mean one; a grain with fewer than four contacts (it bears nothing but itself)
is a rattler, and so is one that has fewer when rattlers are taken away. Six is Maxwell's count: n grains without
friction come to rest by 3 n impulses, each shared by two grains; as long as a heap still sinks (its kinetic energy is
in the table), some are missing.
"""
import subprocess

import h5py
import numpy

import beds
import common

TITLE = "Jamming of spheres without friction"
SOURCE = ("C. S. O'Hern, L. E. Silbert, A. J. Liu, S. R. Nagel, Jamming at zero temperature and zero applied stress, Phys. "
          "Rev. E 68 (2003) 011306: 0.639 and 6; heaps under gravity: L. E. Silbert, D. Ertas, G. S. Grest, T. C. Halsey, "
          "D. Levine, Geometry of frictionless and frictional sphere packings, Phys. Rev. E 65 (2002) 031304")

GRAIN = 0.01  # mean diameter, m
FRACTION, CONTACTS = 0.64, 6.0
CLOSED = 1e-3  # impulse of a contact over the mean one


def scene(width, dt, steps, places, solver):
    return {"time": {"dt": dt, "end": steps * dt}, "gravity": [0, 0, -9.81],
            "periodic": {"x": [0, width], "y": [0, width]},
            "materials": {"glass": {"density": 2500}},
            "friction": [{"between": ["glass", "glass"], "mu": 0}],
            "bodies": {name: {"material": "glass", **place, "fix": ["all"] if name == "rough" else []}
                       for name, place in places.items()},
            "tools": {"floor": {"material": "glass", "shape": {"type": "plane"}}},
            "solver": solver, "debug": {"fclib": {"every": steps}},
            "output": {"checkpoints": {"end": False}, "snapshots": {"start": False}}}


def heap(lab, width, count, steps, seed):
    """The folder of the run in which the heap has come to rest."""
    rough = 1.25 * GRAIN
    radii = {"type": "uniform", "min": 0.45 * GRAIN, "max": 0.55 * GRAIN}
    regions = {"rough": {"low": [0, 0, 0], "high": [width, width, rough], "seed": seed + 100},
               "heap": {"low": [0, 0, rough], "high": [width, width, 5 * count * GRAIN**3 / width**2], "count": count,
                        "seed": seed}}
    falls = lab.run(f"falls-{count}-seed{seed}", scene(
        width, 2e-3, 250, {name: {"radii": radii, "place": {"type": "box", **box}} for name, box in regions.items()},
        {"method": "nsgs", "tolerance": 1e-3, "max_iterations": 200, "on_not_converged": "continue"}))
    file = str(beds.last_snapshot(falls).resolve())
    return lab.run(f"rests-{count}-seed{seed}", scene(
        width, 4e-3, steps, {name: {"place": {"type": "hdf5", "file": file, "population": name}} for name in regions},
        {"tolerance": 1e-6}))


def contacts(folder):
    """Ids of the two bodies of each closed contact of the last step, solved again as the run did."""
    problem = max((folder / "problems").glob("*.hdf5"))
    solved = folder / "solved.hdf5"
    subprocess.run([str(common.PROGRAM), "solve", str(problem), "--replay", "--quiet", "--output", str(solved)],
                   check=True, env=common.environment())
    with h5py.File(problem) as file:
        ids = file["fclib_global/info/contact_id"][:]
    with h5py.File(solved) as file:
        normal = file["solution/r"][:].reshape(len(ids), -1)[:, 0]
    return ids[normal > CLOSED * normal[normal > 0].mean()]


def numbers_of_contacts(ids, pairs, held):
    """Of each grain, those with other grains that are no rattlers; 0 for rattlers. Held grains and tools bear."""
    bears = dict.fromkeys(map(int, ids), True)
    while True:
        number = dict.fromkeys(bears, 0)
        for a, b in pairs.tolist():
            if bears.get(a, True) and bears.get(b, True):
                for grain in (a, b):
                    if grain in number:
                        number[grain] += 1
        rattlers = [grain for grain, n in number.items() if bears[grain] and n < 4 and grain not in held]
        if not rattlers:
            return numpy.array([number[grain] if bears[grain] else 0 for grain in map(int, ids)])
        bears.update(dict.fromkeys(rattlers, False))


def bulk(folder, width):
    """Solid fraction and contacts a grain, share of rattlers and the profile of the solid fraction over the height."""
    with h5py.File(beds.last_snapshot(folder)) as file:
        data = file["VTKHDF/PointData"]
        z, radius = file["VTKHDF/Points"][:, 2], data["radius"][:]
        ids, held = data["id"][:], data["fixed"][:] != 0
    top = numpy.quantile(z, 0.97)
    low, high = 4 * GRAIN, top - 4 * GRAIN

    def fraction(a, b):
        return beds.solid_volume(z, radius, a, b) / (width**2 * (b - a))
    number = numbers_of_contacts(ids, contacts(folder), set(map(int, ids[held])))
    inside = (z > low) & (z < high)
    bearing = number[inside & (number > 0)]
    layers = numpy.arange(0, top, GRAIN)
    return (fraction(low, high), bearing.mean(), 1 - len(bearing) / inside.sum(), int(inside.sum()),
            (layers / GRAIN + 0.5, [fraction(a, a + GRAIN) for a in layers]))


def measure(lab):
    width, count, steps = (6 * GRAIN, 700, 20) if lab.short else (8 * GRAIN, 1500, 40)
    within = 0.03 if lab.short else 0.02  # the bulk of a short run is 370 grains
    rows = []
    for seed in (1,) if lab.short else (1, 2, 3):
        folder = heap(lab, width, count, steps, seed)
        fraction, number, rattlers, inside, (height, profile) = bulk(folder, width)
        last = common.table(folder)[-1]
        rows.append({"seed": seed, "grains": count, "in bulk": inside, "solid fraction": f"{fraction:.4f}",
                     "contacts a grain": f"{number:.3f}", "rattlers": f"{rattlers:.3f}",
                     "active contacts/(3 grains)": f"{last['active_contacts'] / (3 * count):.4f}",
                     "kinetic_energy_J": f"{last['kinetic_energy']:.1e}", "residual": f"{last['residual']:.1e}",
                     "penetration": f"{last['penetration']:.1e}"})
        lab.check(f"seed {seed}: solid fraction, 0.64 within {within:.0%}", fraction, (1 - within) * FRACTION,
                  (1 + within) * FRACTION)
        lab.check(f"seed {seed}: contacts a grain, 6 within 3 %", number, 0.97 * CONTACTS, 1.03 * CONTACTS)
        lab.axes.plot(height, profile, ".-", linewidth=0.8,
                      label=f"seed {seed}: {fraction:.3f} and {number:.2f} contacts a grain in bulk")
    lab.axes.axhspan(0.98 * FRACTION, 1.02 * FRACTION, color="k", alpha=0.15, label="0.64 within 2 %")
    lab.axes.set(xlabel="height, diameters", ylabel="solid fraction of a layer of one diameter", ylim=(0.4, 0.7))
    lab.axes.legend(fontsize="small")
    return rows
