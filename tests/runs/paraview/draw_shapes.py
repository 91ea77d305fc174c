"""Draws what a macro shows of a run, from one side and nothing else: run by pvbatch. See test_paraview.py.

usage: pvbatch draw_shapes.py MACRO PNG WIDTH HEIGHT X HALF_HEIGHT

Seen along +y with z upwards, parallel; X and 0 are in the middle, and HALF_HEIGHT, m, above it at the upper edge.
"""

import runpy
import sys

from paraview import simple


def main():
    macro, picture, width, height = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    x, half_height = float(sys.argv[5]), float(sys.argv[6])
    runpy.run_path(macro)
    view = simple.GetActiveView()
    for (name, _), source in simple.GetSources().items():
        if name == "time":
            simple.Hide(source, view)
        elif source.SMProxy.GetNumberOfOutputPorts():
            shown = simple.GetRepresentation(source, view)
            if shown is not None and shown.Visibility:
                shown.SetScalarBarVisibility(view, False)
    view.OrientationAxesVisibility = 0
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [x, -100, 0], [x, 0, 0], [0, 0, 1]
    view.CameraParallelProjection, view.CameraParallelScale = 1, half_height
    simple.SaveScreenshot(picture, view, ImageResolution=[width, height], TransparentBackground=1)


main()
