"""What ParaView reads of a run: run by pvbatch, prints JSON. See check_paraview.py.

usage: pvbatch read_paraview.py RUN_DIR OUT.json
"""

import glob
import json
import os
import sys

from paraview import servermanager, simple


def leaves(data):
    """The blocks of a composite data set that are there."""
    if not data.IsA("vtkCompositeDataSet"):
        return [data]
    found, leaf = [], data.NewIterator()
    leaf.InitTraversal()
    while not leaf.IsDoneWithTraversal():
        found.append(leaf.GetCurrentDataObject())
        leaf.GoToNextItem()
    return found


def wall(block):
    """Triangles, bounds and the force that each has."""
    force = block.GetCellData().GetArray("force")
    return {"cells": block.GetNumberOfCells(), "bounds": list(block.GetBounds()), "force": list(force.GetTuple(0))}


def summary(source):
    """Counts and, for each point array, its number of components and its range; and the walls."""
    blocks = leaves(servermanager.Fetch(source))
    walls = [block for block in blocks if block.GetCellData().HasArray("force")]
    grains = [block for block in blocks if not block.GetCellData().HasArray("force")]
    return {**points_of(grains[0] if grains else None), "walls": [wall(block) for block in walls]}


def points_of(data):
    if data is None:
        return {"points": 0, "cells": 0, "arrays": {}}
    arrays = {}
    for i in range(data.GetPointData().GetNumberOfArrays()):
        array = data.GetPointData().GetArray(i)
        if array is None:
            continue
        n = array.GetNumberOfComponents()
        ranges = [array.GetRange(c) for c in range(n)] if array.GetNumberOfTuples() else []
        arrays[array.GetName()] = {"components": n, "ranges": ranges}
    bounds = data.GetBounds() if data.GetNumberOfPoints() else []
    return {
        "points": data.GetNumberOfPoints(),
        "cells": data.GetNumberOfCells(),
        "bounds": list(bounds),
        "arrays": arrays,
    }


def read_snapshot(path):
    reader = simple.VTKHDFReader(FileName=[path])
    reader.UpdatePipeline()
    time = servermanager.Fetch(reader).GetFieldData().GetArray("TimeValue").GetTuple1(0)
    return {"time": time, **summary(reader)}


def read_index(path, make):
    reader = make(path)
    reader.UpdatePipelineInformation()
    result = []
    for time in list(reader.TimestepValues):
        reader.UpdatePipeline(time)
        result.append({"time": time, **summary(reader)})
    return result


def main():
    run = os.path.abspath(sys.argv[1])
    snapshots = sorted(glob.glob(os.path.join(run, "snapshots", "*.hdf")))
    index = os.path.join(run, "run.xdmf")
    makers = {
        "XDMFReader": lambda path: simple.XDMFReader(FileNames=[path]),
        "Xdmf3ReaderS": lambda path: simple.Xdmf3ReaderS(FileName=[path]),
        "Xdmf3ReaderT": lambda path: simple.Xdmf3ReaderT(FileName=[path]),
    }
    found = {
        "snapshots": {os.path.basename(p): read_snapshot(p) for p in snapshots},
        "index": {name: read_index(index, make) for name, make in makers.items()},
    }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
