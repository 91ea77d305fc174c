"""Draws a snapshot with ParaView: run by pvbatch.

usage: pvbatch picture_paraview.py SNAPSHOT PNG WIDTH HEIGHT
"""

import os
import sys

import numpy as np
from paraview import simple
from paraview.vtk.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import picture_scene  # noqa: E402  (its folder is known only now)
import picture_shapes  # noqa: E402

BALL = 0  # the number of the shape, which is the first of the list
GREY = [1.0, 1.0, 1.0]


def show_grains(path, scene, view):
    reader = simple.VTKHDFReader(FileName=[path])
    balls = simple.Threshold(Input=reader, Scalars=["POINTS", "shape"])
    balls.LowerThreshold = balls.UpperThreshold = BALL
    speed = simple.Calculator(Input=balls, ResultArrayName="speed", Function="mag(velocity)")
    shown = simple.Show(speed, view)
    shown.SetRepresentationType("3D Glyphs")
    shown.GlyphType = "Sphere"
    shown.GlyphType.Radius = 1.0
    shown.GlyphType.ThetaResolution = shown.GlyphType.PhiResolution = 24
    shown.Scaling = True
    shown.ScaleMode = "Magnitude"
    shown.SelectScaleArray = "radius"
    shown.ScaleFactor = 1.0
    simple.ColorBy(shown, ("POINTS", "speed"))
    show_others(scene, view)
    colours = simple.GetColorTransferFunction("speed")
    colours.RescaleTransferFunction(0.0, scene.top_speed)
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed, m/s", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Orientation, bar.WindowLocation = "Horizontal", "Lower Left Corner"
    shown.SetScalarBarVisibility(view, True)


def show_mesh(points, triangles, view, speeds=None):
    data = vtkPolyData()
    corners = vtkPoints()
    corners.SetData(numpy_to_vtk(points, deep=True))
    data.SetPoints(corners)
    cells = np.hstack([np.full((len(triangles), 1), 3), triangles]).astype(np.int64).ravel()
    faces = vtkCellArray()
    faces.SetCells(len(triangles), numpy_to_vtkIdTypeArray(cells, deep=True))
    data.SetPolys(faces)
    if speeds is not None:
        speed = numpy_to_vtk(speeds, deep=True)
        speed.SetName("speed")
        data.GetPointData().AddArray(speed)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    shown = simple.Show(source, view)
    if speeds is not None:
        simple.ColorBy(shown, ("POINTS", "speed"))
    else:
        shown.DiffuseColor = GREY


def show_others(scene, view):
    """Grains that are no balls, as triangles."""
    mesh = picture_shapes.mesh(scene.grains)
    if mesh is not None:
        points, triangles, owner = mesh
        show_mesh(points, triangles, view, scene.speed[owner])


def show_tools(scene, view):
    """Walls and tools as one mesh: a source and an actor for each face takes ParaView a second each."""
    mesh = picture_shapes.mesh_of_tools(scene)
    if mesh is not None:
        show_mesh(*mesh, view)


def main():
    path, output, width, height = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    scene = picture_scene.load(path)
    view = simple.CreateView("RenderView")
    view.ViewSize = [width, height]
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesVisibility = 0
    view.CameraParallelProjection = 1
    if len(scene.points):
        show_grains(os.path.abspath(path), scene, view)
    show_tools(scene, view)
    label = simple.Text(Text=f"t = {scene.time:.4g} s    {len(scene.points)} grains")
    shown = simple.Show(label, view)
    shown.Color, shown.WindowLocation = [0, 0, 0], "Upper Left Corner"
    simple.ResetCamera(view)
    focus = np.array(view.CameraFocalPoint)
    view.CameraPosition = list(focus + 10.0 * picture_scene.VIEW)
    view.CameraViewUp = [0, 0, 1]
    simple.ResetCamera(view)
    view.CameraParallelScale *= 0.72  # ParaView leaves room for the scene to turn
    simple.SaveScreenshot(output, view, ImageResolution=[width, height])


main()
