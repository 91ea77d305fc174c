"""What ParaView's Programmable Filter runs to make of the points of a run its grains with their true shapes.

Balls and the other shapes of a fixed outline, with the arrays of the grains; polyhedra have their faces elsewhere, and
scripts/surfaces writes them.
"""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray

import picture_shapes

AROUND = 48  # points of a circle: its polygon covers 0.997 of it
NEEDED = ("shape", "semi_axes", "orientation")


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


def arrays_of(data):
    """Name -> numbers of the points' arrays, a row a point."""
    found = data.GetPointData()
    return {found.GetArrayName(i): vtk_to_numpy(found.GetArray(i)) for i in range(found.GetNumberOfArrays())
            if found.GetArray(i) is not None}


def mesh_of(data):
    """Points, triangles and the grain of each point; None of none."""
    arrays, centres = arrays_of(data), vtk_to_numpy(data.GetPoints().GetData()).astype(float)
    missing = [name for name in NEEDED if name not in arrays]
    if missing:
        raise RuntimeError(f"the grains have no array {missing[0]}; name it in output.snapshots.arrays")
    parts = []
    for kind in picture_shapes.WITH_BALLS:
        which = np.flatnonzero(arrays["shape"] == picture_shapes.KINDS.index(kind))
        if len(which):
            points, triangles, owner = picture_shapes.mesh_of_kind(
                kind, arrays["semi_axes"][which].astype(float), arrays["orientation"][which], centres[which], AROUND)
            parts.append((points, triangles, which[owner]))
    return picture_shapes.joined_with_owners(parts)


def fill(output, data, points, triangles, owner):
    """The triangles, with the arrays of their grains."""
    corners = vtkPoints()
    corners.SetData(numpy_to_vtk(points, deep=True))
    output.SetPoints(corners)
    faces = vtkCellArray()
    faces.SetCells(len(triangles), numpy_to_vtkIdTypeArray(
        np.insert(triangles, 0, 3, axis=1).astype(np.int64).ravel(), deep=True))
    output.SetPolys(faces)
    for name, values in arrays_of(data).items():
        array = numpy_to_vtk(np.ascontiguousarray(values[owner]), deep=True)
        array.SetName(name)
        output.GetPointData().AddArray(array)


def make(grains, output):
    """Makes the meshes of one of the blocks of @p grains: walls and tools, which carry a force, are none."""
    for data in leaves(grains):
        if data.GetNumberOfPoints() and not data.GetCellData().HasArray("force"):
            mesh = mesh_of(data)
            if mesh is not None:
                fill(output, data, *mesh)
            return
