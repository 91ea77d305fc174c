"""Processor seconds of a sweep and of a measurement, told apart in the histories of the same solve."""
import numpy

SINGLE_RESIDUAL = 3e-6  # kSingleResidual of pair_iteration.cpp
SINGLE_PROGRESS = 0.9  # kPrecisionProgress, likewise
SINGLE_PATIENCE = 200  # likewise


def switch(history):
    """The number of the point after which sweeps are stored otherwise than at first: the rule of pair_iteration.cpp."""
    best, best_at = float("inf"), 0
    for k, point in enumerate(history[1:], 1):
        if point["residual"] < SINGLE_PROGRESS * best:
            best, best_at = point["residual"], point["iteration"]
        if point["residual"] < SINGLE_RESIDUAL or point["iteration"] - best_at > SINGLE_PATIENCE:
            return k
    return len(history) - 1


def fastest(histories):
    """Sweeps and processor seconds between the points of the same solve, of each interval the least that it took."""
    sweeps = numpy.diff([point["iteration"] for point in histories[0]])
    seconds = numpy.array([numpy.diff([point["processor_seconds"] for point in history]) for history in histories])
    return sweeps, seconds.min(axis=0)


def sweep_seconds(histories):
    """Seconds of a sweep in single precision, of one later on, None where there is none, and of a measurement. The first
    interval of either also sets its storage up."""
    k = switch(histories[0])
    sweeps, seconds = fastest(histories)
    single, later = slice(1, k), slice(k + 1, None)
    weight = 1 / sweeps[single]  # so that relative errors count alike
    system = numpy.column_stack([numpy.ones(len(weight)), weight])
    (sweep, measurement), *_ = numpy.linalg.lstsq(system, seconds[single] * weight, rcond=None)
    after = float(numpy.median((seconds[later] - measurement) / sweeps[later])) if len(sweeps[later]) > 0 else None
    return sweep, after, measurement
