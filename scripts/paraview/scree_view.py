"""Shows a run of scree in ParaView: grains with their true shapes, coloured by speed, walls and tools, the time.

`scripts/paraview/open RUN` starts ParaView with it; `scripts/paraview/open --macro FILE` makes a macro of it for a ParaView
that is open: select what reads a run's run.xdmf in the pipeline browser, and run the macro.
"""

import builtins
import os

from paraview import simple

TOP = []  # largest speeds of what is shown
BALL = 0  # what the array `shape` has for balls
WALLS = [0.85, 0.86, 0.88]
HERE = os.environ.get("SCREE_PARAVIEW") or os.path.dirname(os.path.abspath(__file__))  # which `paraview --script` does not say
LIB = os.path.join(HERE, "..", "lib")
SHAPES = f"""import sys
sys.path.insert(0, {LIB!r})
import paraview_shapes
paraview_shapes.make(self.GetInputDataObject(0, 0), self.GetOutputDataObject(0))
"""


def selected_index():
    """The index of the run: what the environment names, else the file of the selected source."""
    if os.environ.get("SCREE_RUN"):
        return os.path.join(os.path.abspath(os.environ["SCREE_RUN"]), "run.xdmf"), None
    source = simple.GetActiveSource()
    for name in ("FileNames", "FileName"):
        files = getattr(source, name, None)
        if files:
            return os.path.abspath(files if isinstance(files, str) else files[0]), source
    raise RuntimeError("select the source that reads run.xdmf, then run the macro again")


def colour_by_speed(source, shown, view, time):
    """From 0 to the largest speed of all sources at that time."""
    simple.ColorBy(shown, ("POINTS", "speed"))
    source.UpdatePipeline(time)
    array = source.PointData["speed"]
    TOP.append(array.GetRange()[1] if array is not None else 0.0)
    colours = simple.GetColorTransferFunction("speed")
    colours.AutomaticRescaleRangeMode = "Never"
    colours.RescaleTransferFunction(0.0, builtins.max(TOP + [1e-6]))  # the Programmable Filter brings a `max` of its own
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed, m/s", ""
    shown.SetScalarBarVisibility(view, True)


def show_balls(reader, view, time):
    balls = simple.Threshold(registrationName="balls", Input=reader, Scalars=["POINTS", "shape"])
    balls.LowerThreshold = balls.UpperThreshold = BALL
    speed = simple.Calculator(registrationName="balls by speed", Input=balls, ResultArrayName="speed",
                              Function="mag(velocity)")
    shown = simple.Show(speed, view)
    shown.SetRepresentationType("3D Glyphs")
    shown.GlyphType = "Sphere"
    shown.GlyphType.Radius = 1.0
    shown.GlyphType.ThetaResolution = shown.GlyphType.PhiResolution = 40
    shown.Scaling, shown.ScaleMode, shown.SelectScaleArray, shown.ScaleFactor = True, "Magnitude", "radius", 1.0
    colour_by_speed(speed, shown, view, time)


def show_others(reader, run, view, time):
    """Grains that are no balls; those of polyhedra and clumps as scripts/surfaces has written them."""
    index = os.path.join(run, "surfaces", "surfaces.pvd")
    if os.path.isfile(index):
        shapes = simple.PVDReader(registrationName="surfaces", FileName=index)
    else:
        others = simple.Threshold(registrationName="no balls", Input=reader, Scalars=["POINTS", "shape"])
        others.LowerThreshold, others.UpperThreshold = BALL + 1, 1e300
        meshes = simple.ProgrammableFilter(registrationName="shapes", Input=others, OutputDataSetType="vtkPolyData", Script=SHAPES)
        shapes = simple.Calculator(registrationName="shapes by speed", Input=meshes, ResultArrayName="speed", Function="mag(velocity)")
    colour_by_speed(shapes, simple.Show(shapes, view), view, time)


def show_walls(reader, view):
    """The blocks with a force: all but the grains."""
    walls = simple.Threshold(registrationName="walls and tools", Input=reader, Scalars=["CELLS", "force"])
    walls.LowerThreshold, walls.UpperThreshold = -1e300, 1e300
    shown = simple.Show(walls, view)
    simple.ColorBy(shown, ("CELLS", None))
    shown.SetRepresentationType("Surface")
    shown.AmbientColor = shown.DiffuseColor = WALLS
    shown.Opacity = 0.35


def show(index, reader=None):
    """Makes the pipeline of the run whose index is given, and gives the view."""
    run = os.path.dirname(index)
    view = simple.GetActiveViewOrCreate("RenderView")
    if reader is None:
        reader = simple.XDMFReader(registrationName=os.path.basename(run), FileNames=[index])
    reader.UpdatePipeline()
    simple.Hide(reader, view)
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    simple.GetAnimationScene().GoToLast()  # before colours get their range
    last = reader.TimestepValues[-1] if len(reader.TimestepValues) else 0.0
    show_walls(reader, view)
    show_balls(reader, view, last)
    show_others(reader, run, view, last)
    time = simple.AnnotateTimeFilter(registrationName="time", Input=reader, Format="t = {time:.4g} s")
    simple.Show(time, view)
    view.CameraParallelProjection = 1
    view.ResetActiveCameraToPositiveY()
    simple.GetActiveCamera().Azimuth(25)
    simple.GetActiveCamera().Elevation(25)
    view.CameraViewUp = [0, 0, 1]
    simple.ResetCamera(view)
    simple.Render(view)
    return view


shown_view = show(*selected_index())
if os.environ.get("SCREE_PICTURE"):
    simple.SaveScreenshot(os.environ["SCREE_PICTURE"], shown_view, ImageResolution=[1600, 1000])
