"""What the tests of heaps of shapes from files share."""
import h5py
import numpy

from cli import Cli


class HeapCli(Cli):
    # the array of snapshots that says which of the shapes of a table a grain has
    HANDLE = ""

    def run_heap(self, *arguments, out="out", ranks=1):
        return self.scree("run", "run.yaml", "--output", out, *arguments, ranks=ranks)

    def snapshot(self, out, step):
        return self.folder / out / "snapshots" / f"snapshot_{step:08}.hdf"

    def assert_same_grains(self, a, b, tolerance):
        with h5py.File(a) as a, h5py.File(b) as b:
            first, second = (file["VTKHDF/PointData"] for file in (a, b))
            order = [numpy.argsort(data["id"][:]) for data in (first, second)]
            for name in ("id", self.HANDLE, "scale", "shape"):
                numpy.testing.assert_array_equal(first[name][:][order[0]], second[name][:][order[1]])
            for one, other in ((a["VTKHDF/Points"], b["VTKHDF/Points"]),
                               (first["orientation"], second["orientation"])):
                numpy.testing.assert_allclose(one[:][order[0]], other[:][order[1]], atol=tolerance)
