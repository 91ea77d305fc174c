#!/usr/bin/python3
"""Checks that ParaView reads a run as it was written.

usage: check_paraview.py RUN_DIR [--pvbatch PROGRAM]

Every snapshot is opened by the VTKHDF reader, and run.xdmf by ParaView's three XDMF readers; counts,
times, names of arrays, components and ranges must be those that h5py finds in the files. Exit
status: 0 all well, 1 a difference, 77 pvbatch is not installed (ctest: SKIP_RETURN_CODE 77).
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def close(a, b):
    return np.allclose(a, b, rtol=1e-6, atol=1e-12, equal_nan=True)


def expected(path):
    """What h5py finds in a snapshot."""
    with h5py.File(path, "r") as file:
        group = file["VTKHDF"]
        data = {name: item[()] for name, item in group["PointData"].items()}
        walls = [(item["points"][()], item["triangles"][()], item["force"][()]) for item in file["walls"].values()]
        return {"time": float(file.attrs["time"]), "points": group["Points"][()], "data": data, "walls": walls}


def differences_of_walls(where, want, got):
    """What differs in the blocks of walls and tools."""
    if len(got["walls"]) != len(want["walls"]):
        yield f"{where}: {len(got['walls'])} walls, not {len(want['walls'])}"
        return
    for (points, triangles, force), found in zip(want["walls"], got["walls"]):
        bounds = np.column_stack((points.min(axis=0), points.max(axis=0))).ravel()
        if found["cells"] != len(triangles) or not close(found["bounds"], bounds) or not close(found["force"], force[0]):
            yield f"{where}: a wall is {found}; written {len(triangles)} triangles within {bounds}, {force[0]} N"


def differences(where, want, got):
    """Lines that say how ParaView's @p got differs from the file's @p want."""
    n = len(want["points"])
    if got["points"] != n or got["cells"] != n:
        yield f"{where}: {got['points']} points, {got['cells']} cells; {n} written"
        return
    if n == 0:
        return
    low, high = want["points"].min(axis=0), want["points"].max(axis=0)
    if not close(got["bounds"], np.column_stack((low, high)).ravel()):
        yield f"{where}: bounds {got['bounds']}; written {low} {high}"
    for name, values in want["data"].items():
        if name not in got["arrays"]:
            yield f"{where}: no array {name}"
            continue
        values = values.reshape(n, -1).astype(float)
        array = got["arrays"][name]
        if array["components"] != values.shape[1]:
            yield f"{where}: {name} has {array['components']} components, not {values.shape[1]}"
        elif not close(array["ranges"], np.column_stack((values.min(axis=0), values.max(axis=0)))):
            yield f"{where}: {name} has other values"


def compare(run, found):
    names = sorted(n for n in os.listdir(os.path.join(run, "snapshots")) if n.endswith(".hdf"))
    if not names:
        yield f"{run}: no snapshots"
    wanted = [expected(os.path.join(run, "snapshots", name)) for name in names]
    for name, want in zip(names, wanted):
        got = found["snapshots"][name]
        if got["time"] != want["time"]:
            yield f"{name}: time {got['time']}; written {want['time']}"
        yield from differences(name, want, got)
    filled = [want for want in wanted if len(want["points"])]
    for reader, steps in found["index"].items():
        steps = [step for step in steps if step["points"]]
        times = [step["time"] for step in steps]
        if not np.array_equal(times, [want["time"] for want in filled]):
            yield f"{reader}: times {times}; written {[want['time'] for want in filled]}"
            continue
        for want, step in zip(filled, steps):
            yield from differences(f"{reader} at {want['time']}", want, step)
            yield from differences_of_walls(f"{reader} at {want['time']}", want, step)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("--pvbatch", default="pvbatch")
    arguments = parser.parse_args()
    program = shutil.which(arguments.pvbatch)
    if program is None:
        print(f"{arguments.pvbatch} is not installed: nothing checked")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "found.json")
        # A clean environment: pvbatch must not take itself for a rank of a caller's MPI job.
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
        done = subprocess.run(
            [program, os.path.join(HERE, "read_paraview.py"), arguments.run, out],
            env=env, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0 or not os.path.exists(out):
            print(f"pvbatch ended with {done.returncode}\n{done.stdout}{done.stderr}")
            return 1
        with open(out, encoding="utf-8") as file:
            found = json.load(file)
    lines = list(compare(arguments.run, found))
    print("\n".join(lines) or f"{len(found['snapshots'])} snapshots and run.xdmf read as written")
    return 1 if lines else 0


sys.exit(main())
