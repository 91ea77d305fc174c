"""Draws a snapshot with ParaView: run by pvbatch.

usage: pvbatch picture_paraview.py SNAPSHOT PNG WIDTH HEIGHT
"""

import os
import sys

import numpy as np
from paraview import simple

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import picture_scene  # noqa: E402  (its folder is known only now)

GREY = [1.0, 1.0, 1.0]


def show_grains(path, scene, view):
    reader = simple.VTKHDFReader(FileName=[path])
    speed = simple.Calculator(Input=reader, ResultArrayName="speed", Function="mag(velocity)")
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
    colours = simple.GetColorTransferFunction("speed")
    colours.RescaleTransferFunction(0.0, scene.top_speed)
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed, m/s", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Orientation, bar.WindowLocation = "Horizontal", "Lower Left Corner"
    shown.SetScalarBarVisibility(view, True)


def show_tools(scene, view):
    for corner, a, b in scene.faces:
        source = simple.Plane(Origin=list(corner), Point1=list(corner + a), Point2=list(corner + b))
        simple.Show(source, view).DiffuseColor = GREY
    for centre, radius in scene.balls:
        source = simple.Sphere(Center=list(centre), Radius=float(radius), ThetaResolution=64,
                               PhiResolution=64)
        simple.Show(source, view).DiffuseColor = GREY


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
