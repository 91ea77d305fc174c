"""A small renderer: balls, triangles and parallelograms, seen from far away (orthographic), with a depth
buffer, light from above and darker hollows. For pictures of runs where there is no ParaView."""

import itertools

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.cm import ScalarMappable  # noqa: E402
from matplotlib.colors import Normalize  # noqa: E402

import picture_shapes  # noqa: E402
from picture_scene import VIEW  # noqa: E402

SAMPLES = 2  # per pixel and direction, against jagged edges
LIGHT = np.array([0.25, 0.55, 0.8]) / np.linalg.norm([0.25, 0.55, 0.8])  # right, up, to the camera
GREY = np.array([0.93, 0.94, 0.96])
STEEL = np.array([0.47, 0.53, 0.60])
COLOURS = "coolwarm"


class Canvas:
    """Colour and depth; coordinates are right, up and towards the camera."""

    def __init__(self, low, high, size):
        self.axes = camera()
        self.width, self.height = size[0] * SAMPLES, size[1] * SAMPLES
        span = high - low
        self.scale = 0.92 * min(self.width / span[0], self.height / span[1])  # samples per metre
        self.origin = 0.5 * (low + high)
        self.colour = np.ones((self.height, self.width, 3))
        self.depth = np.full((self.height, self.width), -np.inf)

    def place(self, points):
        """Samples right and down, and metres towards the camera."""
        seen = np.atleast_2d(points) @ self.axes.T
        x = (seen[:, 0] - self.origin[0]) * self.scale + 0.5 * self.width
        y = 0.5 * self.height - (seen[:, 1] - self.origin[1]) * self.scale
        return np.column_stack((x, y, seen[:, 2]))

    def window(self, x0, x1, y0, y1):
        """The samples in a rectangle, cut to the canvas: slices, and their coordinates."""
        xs = slice(max(0, int(np.floor(x0))), min(self.width, int(np.ceil(x1)) + 1))
        ys = slice(max(0, int(np.floor(y0))), min(self.height, int(np.ceil(y1)) + 1))
        return ys, xs, np.arange(xs.start, max(xs.start, xs.stop)), np.arange(
            ys.start, max(ys.start, ys.stop))

    def cover(self, ys, xs, inside, depth, colour):
        """Puts what is nearer than what is there."""
        nearer = inside & (depth > self.depth[ys, xs])
        self.depth[ys, xs][nearer] = depth[nearer]
        self.colour[ys, xs][nearer] = colour[nearer]

    def ball(self, place, radius, colour):
        r = radius * self.scale
        ys, xs, x, y = self.window(place[0] - r, place[0] + r, place[1] - r, place[1] + r)
        if not len(x) or not len(y):
            return
        right, up = (x[None, :] - place[0]) / r, (place[1] - y[:, None]) / r
        square = 1.0 - right**2 - up**2
        inside = square > 0.0
        front = np.sqrt(np.maximum(square, 0.0))
        lit = shade(right * LIGHT[0] + up * LIGHT[1] + front * LIGHT[2])
        self.cover(ys, xs, inside, place[2] + radius * front, lit[..., None] * colour)

    def triangles(self, points, corners, colours):
        """Those of the triangles, of closed surfaces, that look at the camera; a colour each."""
        a, b = points[corners[:, 1]] - points[corners[:, 0]], points[corners[:, 2]] - points[corners[:, 0]]
        for i in np.flatnonzero(np.cross(a, b) @ VIEW > 0.0):
            self.face(points[corners[i, 0]], a[i], b[i], colours[i], half=True)

    def face(self, corner, a, b, colour, half=False, sheer=False):
        """The parallelogram of @p a and @p b at the corner, or the half of it that is a triangle; sheer:
        every second sample of it alone, so that what is behind is seen."""
        o, pa, pb = self.place(np.array([corner, corner + a, corner + b]))
        da, db = pa - o, pb - o
        area = da[0] * db[1] - da[1] * db[0]
        if abs(area) < 1e-9:
            return
        xs_ = np.array([o[0], pa[0], pb[0], pa[0] + db[0]])
        ys_ = np.array([o[1], pa[1], pb[1], pa[1] + db[1]])
        ys, xs, x, y = self.window(xs_.min(), xs_.max(), ys_.min(), ys_.max())
        if not len(x) or not len(y):
            return
        dx, dy = x[None, :] - o[0], y[:, None] - o[1]
        s, t = (dx * db[1] - dy * db[0]) / area, (dy * da[0] - dx * da[1]) / area
        inside = (s >= 0) & (t >= 0) & ((s + t <= 1) if half else (s <= 1) & (t <= 1))
        if sheer:
            inside &= (np.floor(x)[None, :] + np.floor(y)[:, None]) % 2 == 0
        normal = self.axes @ np.cross(a, b)
        normal *= np.sign(normal[2]) / np.linalg.norm(normal)
        colours = np.broadcast_to(shade(normal @ LIGHT) * colour, (*inside.shape, 3))
        self.cover(ys, xs, inside, o[2] + s * da[2] + t * db[2], colours)

    def darken_hollows(self, reach):
        """What has nearer things around it within @p reach metres gets less light."""
        known = np.where(np.isfinite(self.depth), self.depth, np.nan)
        hidden = np.zeros_like(self.depth)
        angles = np.arange(12) * (2 * np.pi / 12)
        for part in (0.5, 1.0, 2.0):
            steps = np.rint(part * reach * self.scale * np.column_stack(
                (np.cos(angles), np.sin(angles)))).astype(int)
            for dx, dy in steps:
                rise = np.roll(known, (dy, dx), axis=(0, 1)) - known
                hidden += np.nan_to_num(np.clip(rise / (part * reach) - 0.3, 0.0, 1.0))
        self.colour *= (1.0 - 0.65 * hidden / (3 * len(angles)))[..., None] ** 1.5

    def image(self):
        shape = (self.height // SAMPLES, SAMPLES, self.width // SAMPLES, SAMPLES, 3)
        return np.clip(self.colour, 0.0, 1.0).reshape(shape).mean(axis=(1, 3))


def camera():
    """Rows: right, up, towards the camera."""
    right = np.cross([0.0, 0.0, 1.0], VIEW)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(VIEW, right), VIEW])


def shade(cosine):
    return 0.42 + 0.62 * np.maximum(cosine, 0.0)


def extent(scene):
    """The rectangle, seen by the camera, of all that is drawn."""
    axes, corners = camera(), [np.zeros((0, 3))]
    for corner, a, b in scene.faces:
        corners.append(np.array([corner, corner + a, corner + b, corner + a + b]) @ axes.T)
    corners += [mesh.reshape(-1, 3) @ axes.T for mesh in scene.meshes]
    for bodies in (scene.grains, scene.tools):
        mesh = picture_shapes.mesh(bodies)
        corners += [] if mesh is None else [mesh[0] @ axes.T]
    for points, radius in [(scene.points, scene.radius[:, None]), *scene.balls]:
        seen = np.atleast_2d(points) @ axes.T
        corners += [seen - radius, seen + radius]
    corners = np.vstack(corners)
    if not len(corners):
        return -np.ones(3), np.ones(3)
    return corners.min(axis=0), corners.max(axis=0)


def draw(scene, output, size):
    """Draws @p scene, and writes it with its scale of colours to @p output."""
    canvas = Canvas(*extent(scene), size)
    scale = Normalize(0.0, scene.top_speed)
    colours = plt.get_cmap(COLOURS)(scale(scene.speed))[:, :3]
    places = canvas.place(scene.points.reshape(-1, 3))
    for i in [i for i, kind in enumerate(scene.grains.kinds) if kind == "sphere"]:
        canvas.ball(places[i], scene.radius[i], colours[i])
    mesh = picture_shapes.mesh(scene.grains)
    if mesh is not None:
        points, corners, owner = mesh
        canvas.triangles(points, corners, colours[owner[corners[:, 0]]])
    mesh = picture_shapes.mesh(scene.tools)
    if mesh is not None:
        canvas.triangles(mesh[0], mesh[1], np.broadcast_to(STEEL, (len(mesh[1]), 3)))
    for corner, a, b in scene.faces:
        canvas.face(corner, a, b, GREY)
    for a, b, c in itertools.chain(*scene.meshes):
        canvas.face(a, b - a, c - a, STEEL, half=True, sheer=True)
    for centre, radius in scene.balls:
        canvas.ball(canvas.place(centre)[0], radius, STEEL)
    if len(scene.radius):
        canvas.darken_hollows(1.2 * float(np.median(scene.radius)))
    save(canvas.image(), scale, scene, output, size)


def save(image, scale, scene, output, size):
    figure = plt.figure(figsize=(size[0] / 100, size[1] / 100), dpi=100)
    axes = figure.add_axes([0, 0, 1, 1])
    axes.imshow(image, interpolation="nearest", aspect="auto")
    axes.axis("off")
    bar = figure.add_axes([0.03, 0.085, 0.24, 0.016])
    figure.colorbar(ScalarMappable(scale, COLOURS), cax=bar, label="speed, m/s", extend="max",
                    orientation="horizontal")
    figure.text(0.015, 0.965, f"t = {scene.time:.4g} s    {len(scene.points)} grains", fontsize=15,
                va="top")
    figure.savefig(output, dpi=100, format="png")
    plt.close(figure)
