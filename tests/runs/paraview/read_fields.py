"""What ParaView reads of fields: run by pvbatch, prints JSON. See test_fields.py.

usage: pvbatch read_fields.py RUN/fields/NAME.xdmf OUT.json
"""

import json
import os
import sys

from paraview import servermanager, simple
from vtk.util.numpy_support import vtk_to_numpy


def summary(source, time):
    data = servermanager.Fetch(source)
    if data.IsA("vtkCompositeDataSet"):
        leaf = data.NewIterator()
        leaf.InitTraversal()
        data = leaf.GetCurrentDataObject()
    cells = data.GetCellData()
    arrays = {cells.GetArrayName(i): vtk_to_numpy(cells.GetArray(i)).tolist() for i in range(cells.GetNumberOfArrays())}
    return {"time": time, "bounds": list(data.GetBounds()), "arrays": arrays}


def read_index(reader):
    reader.UpdatePipelineInformation()
    result = []
    for time in list(reader.TimestepValues):
        reader.UpdatePipeline(time)
        result.append(summary(reader, time))
    return result


def main():
    index = os.path.abspath(sys.argv[1])
    found = {
        "XDMFReader": read_index(simple.XDMFReader(FileNames=[index])),
        "Xdmf3ReaderS": read_index(simple.Xdmf3ReaderS(FileName=[index])),
        "Xdmf3ReaderT": read_index(simple.Xdmf3ReaderT(FileName=[index])),
    }
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
