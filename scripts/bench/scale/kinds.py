"""What contacts of each kind of shape take in a step, beside those of balls; and beds that are half of balls and half of others."""
import json
import statistics

import common

GRAINS = 4000
SIDE = 0.4  # m
SIZE = 0.012  # m, about the radius of a ball of as much volume
SWEEPS = 20
DT = 2e-3  # s
STEPS = 250  # until the bed is at rest
LAST = 60  # of these the time is taken
STAGES = ("contacts", "assemble", "solve", "advance")
SOLVER = {"method": "nsgs", "max_iterations": SWEEPS, "tolerance": 1e-14, "on_not_converged": "continue"}

SHAPES = {
    "ellipsoid": {"type": "ellipsoid", "semi_axes": [1.25 * SIZE, SIZE, 0.8 * SIZE]},
    "superellipsoid": {"type": "superellipsoid", "semi_axes": [1.1 * SIZE, 0.9 * SIZE, 0.8 * SIZE], "exponents": [4.0, 4.0]},
    "capsule": {"type": "capsule", "radius": 0.75 * SIZE, "length": SIZE},
    "cylinder": {"type": "cylinder", "radius": 0.9 * SIZE, "length": 1.6 * SIZE},
    "cone": {"type": "cone", "radius": 1.1 * SIZE, "length": 2.0 * SIZE},
    "box": {"type": "box", "size": [1.8 * SIZE, 1.6 * SIZE, 1.5 * SIZE]},
    "polyhedron": {"type": "polyhedron", "file": str(common.ROOT / "configs" / "rock.off"), "scale": 0.08 * SIZE},
    "ring": {"type": "ring", "major_radius": SIZE, "minor_radius": 0.35 * SIZE},
    "clump": {"type": "clump", "parts": [
        {"shape": {"type": "sphere", "radius": 0.85 * SIZE}, "position": [x * SIZE, 0, 0]} for x in (-0.5, 0.5)]},
}


def flat_mesh(folder, cells=40):
    """A floor of triangles, about as large as grains."""
    file = folder / "floor.off"
    step = 1.5 * SIDE / cells
    points = [f"{i * step - 0.25 * SIDE:g} {j * step - 0.25 * SIDE:g} 0" for i in range(cells + 1) for j in range(cells + 1)]
    faces = []
    for i in range(cells):
        for j in range(cells):
            a, b = i * (cells + 1) + j, (i + 1) * (cells + 1) + j
            faces += [f"3 {a} {b} {b + 1}", f"3 {a} {b + 1} {a + 1}"]
    file.write_text("\n".join(["OFF", f"{len(points)} {len(faces)} 0", *points, *faces, ""]), encoding="utf-8")
    return file


def groups(shape, count, low, high):
    """One group of grains: balls where there is no other shape."""
    group = {"material": "gravel", "place": {"type": "box", "low": low, "high": high, "count": count, "seed": 1}}
    if shape is None:
        return group | {"radii": {"type": "uniform", "min": 0.8 * SIZE, "max": 1.2 * SIZE}}
    return group | {"shape": shape}


def config(bodies, floor, width, steps):
    return {"name": "kinds", "time": {"dt": DT, "end": steps * DT}, "gravity": [0, 0, -9.81],
            "periodic": {"x": [0, width], "y": [0, SIDE]},
            "materials": {"gravel": {"density": 2600, "young_modulus": 1e8}},
            "friction": [{"between": ["gravel", "gravel"], "mu": 0.4}],
            "bodies": bodies, "tools": {"floor": {"material": "gravel"} | floor}, "solver": SOLVER,
            "debug": {"fclib": {"not_converged": 0}},
            "output": {"snapshots": {"start": False, "end": False}, "checkpoints": {"end": False}}}


PLANE = {"shape": {"type": "plane"}, "normal": [0, 0, 1]}


def last_steps(folder, name, content, ranks=1):
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps(content), encoding="utf-8")
    common.run(file, folder / name, ranks)
    return common.table(folder / name)[-LAST:]


def seconds(steps):
    return sum(step[f"seconds_{stage}"] for step in steps for stage in STAGES)


def row(name, steps, of_balls=None):
    contacts = sum(step["contacts"] for step in steps)
    took = {stage: 1e6 * sum(step[f"seconds_{stage}"] for step in steps) / contacts for stage in STAGES}
    a_contact = 1e6 * seconds(steps) / contacts
    result = {"kind": name, "grains": int(steps[-1]["bodies"]), "contacts": round(contacts / len(steps))}
    result |= {f"{stage}_us": f"{value:.3f}" for stage, value in took.items()}
    result |= {"contact_us": f"{a_contact:.3f}", "over_balls": f"{a_contact / (of_balls or a_contact):.1f}"}
    print(result, flush=True)
    return result


def kinds(folder):
    """Rows of beds of one kind, and of balls on a floor of triangles: of that what its contacts take more than those of a plane."""
    high = [SIDE, SIDE, 1.6]
    balls = {"bed": groups(None, GRAINS, [0, 0, 0], high)}
    rows = [row("ball", last_steps(folder, "ball", config(balls, PLANE, SIDE, STEPS)))]
    of_balls = float(rows[0]["contact_us"])
    for name, shape in SHAPES.items():
        bed = {"bed": groups(shape, GRAINS, [0, 0, 0.02], high)}
        rows.append(row(name, last_steps(folder, name, config(bed, PLANE, SIDE, STEPS)), of_balls))
    layer = {"bed": groups(None, 300, [0, 0, 0], [SIDE, SIDE, 0.3])}
    mesh = {"shape": {"type": "mesh", "file": str(flat_mesh(folder).resolve())}}
    plane, triangles = (last_steps(folder, f"layer{k}", config(layer, floor, SIDE, STEPS)) for k, floor in enumerate((PLANE, mesh)))
    rows.append(row("balls in a layer on a plane", plane, of_balls))
    rows.append(row("balls in a layer on a mesh", triangles, of_balls))
    return rows


def mixed(folder):
    """Rows of a bed, the one half of balls, the other of boxes or ellipsoids, on one and two ranks: medians of its last steps."""
    rows = []
    for name in ("box", "ellipsoid"):
        half = {"balls": groups(None, 2 * GRAINS, [0, 0, 0], [SIDE, SIDE, 3.2]),
                "others": groups(SHAPES[name], GRAINS // 2, [SIDE, 0, 0.02], [2 * SIDE, SIDE, 0.8])}
        one, two = (last_steps(folder, f"{name}_mixed{ranks}", config(half, PLANE, 2 * SIDE, STEPS), ranks) for ranks in (1, 2))
        row = {"others": name, "grains": int(one[-1]["bodies"]), "contacts": int(one[-1]["contacts"])}
        for ranks, steps in ((1, one), (2, two)):
            for column in ("step", "contacts"):
                row[f"{column}_s_{ranks}"] = f"{statistics.median(s[f'seconds_{column}'] for s in steps):.4f}"
        row["speed_up"] = f"{float(row['step_s_1']) / float(row['step_s_2']):.2f}"
        row["speed_up_of_contacts"] = f"{float(row['contacts_s_1']) / float(row['contacts_s_2']):.2f}"
        rows.append(row)
        print(rows[-1], flush=True)
    return rows
