"""What ParaView reads of a run: run by pvbatch, prints JSON. See check_paraview.py.

usage: pvbatch read_paraview.py RUN_DIR OUT.json
"""

import glob
import json
import os
import sys

from paraview import servermanager, simple


def summary(source):
    """Counts and, for each point array, its number of components and its range."""
    data = servermanager.Fetch(source)
    if data.IsA("vtkCompositeDataSet"):
        leaf = data.NewIterator()
        leaf.InitTraversal()
        data = None if leaf.IsDoneWithTraversal() else leaf.GetCurrentDataObject()
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
    return summary(reader)


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
