"""Shows a run of scree in ParaView: grains with their true shapes, coloured by speed, walls and tools, the time.

As a macro (menu Macros, Import new macro..., this file): open a run's run.xdmf, select it in the pipeline browser,
and run the macro. `scripts/paraview/open RUN` starts ParaView with it.
"""

import glob
import os

from paraview import simple

BALL = 0  # what the array `shape` has for balls
WALLS = [0.85, 0.86, 0.88]


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


def colour_by_speed(shown, view):
    simple.ColorBy(shown, ("POINTS", "speed"))
    colours = simple.GetColorTransferFunction("speed")
    colours.AutomaticRescaleRangeMode = "Grow and update on 'Apply'"
    shown.RescaleTransferFunctionToDataRange(True)
    bar = simple.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed, m/s", ""
    shown.SetScalarBarVisibility(view, True)


def show_balls(reader, view):
    balls = simple.Threshold(registrationName="balls", Input=reader, Scalars=["POINTS", "shape"])
    balls.LowerThreshold = balls.UpperThreshold = BALL
    speed = simple.Calculator(registrationName="balls by speed", Input=balls, ResultArrayName="speed",
                              Function="mag(velocity)")
    shown = simple.Show(speed, view)
    shown.SetRepresentationType("3D Glyphs")
    shown.GlyphType = "Sphere"
    shown.GlyphType.Radius = 1.0
    shown.GlyphType.ThetaResolution = shown.GlyphType.PhiResolution = 20
    shown.Scaling, shown.ScaleMode, shown.SelectScaleArray, shown.ScaleFactor = True, "Magnitude", "radius", 1.0
    colour_by_speed(shown, view)


def show_surfaces(run, view):
    """Grains that are no balls, where scripts/surfaces has written them."""
    files = sorted(glob.glob(os.path.join(run, "surfaces", "*.vtp")))
    if files:
        surfaces = simple.XMLPolyDataReader(registrationName="surfaces", FileName=files)
        colour_by_speed(simple.Show(surfaces, view), view)


def show_walls(reader, view):
    """The blocks with a force: all but the grains."""
    walls = simple.Threshold(registrationName="walls and tools", Input=reader, Scalars=["CELLS", "force"])
    walls.LowerThreshold, walls.UpperThreshold = -1e300, 1e300
    shown = simple.Show(walls, view)
    simple.ColorBy(shown, ("CELLS", None))
    shown.SetRepresentationType("Surface")
    shown.AmbientColor = shown.DiffuseColor = WALLS
    shown.Opacity = 0.35


def show_contacts(run, view):
    """Lines between centres, coloured by normal force, where the run wrote them (output.contacts)."""
    files = sorted(glob.glob(os.path.join(run, "contacts", "*.vtp")))
    if files:
        simple.Hide(simple.Show(simple.XMLPolyDataReader(registrationName="contacts", FileName=files), view))


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
    show_walls(reader, view)
    show_balls(reader, view)
    show_surfaces(run, view)
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
