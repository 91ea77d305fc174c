"""The force on the blade, with its standard error, and what the floor bears before the cut."""
import math
import statistics

import numpy

GRAVITY, DENSITY = 9.81, 2600.0  # of configs/trench-1m.yaml
BEGIN, CUT = 0.4, 0.7  # s, when the blade is lowered and when it is drawn
WINDOW, BLOCK = 0.1, 0.02  # s; the blade passes one grain radius in two blocks


def standard_error(values, length):
    """Standard error of the mean of a series, from the means of its blocks of so many values."""
    blocks = [statistics.fmean(values[k:k + length]) for k in range(0, len(values) - length + 1, length)]
    return statistics.stdev(blocks) / math.sqrt(len(blocks)) if len(blocks) > 1 else float("nan")


def series(tools, name, component):
    """Times and values of a tool's force."""
    rows = [row for row in tools if row["tool"] == name]
    return numpy.array([row["time"] for row in rows]), numpy.array([row[component] for row in rows])


def row(times, draft, lift, dt, low, high, block=BLOCK):
    """Means over the steps that end after one time and not after another; errors from blocks of so many seconds."""
    chosen = (times > low + 0.5 * dt) & (times < high + 0.5 * dt)
    length = round(block / dt)
    return {"from_s": f"{low:.3g}", "to_s": f"{min(high, times[-1]):.3g}", "steps": int(chosen.sum()),
            "draft_N": f"{draft[chosen].mean():.1f}", "standard_error_N": f"{standard_error(draft[chosen], length):.1f}",
            "deviation_N": f"{draft[chosen].std():.1f}", "upward_N": f"{lift[chosen].mean():.1f}"}


def rows(tools, dt):
    """Tenths of a second of the cut, then all of them but the first, in which the blade starts."""
    times, force = series(tools, "blade", "force_x")
    lift = series(tools, "blade", "force_z")[1]
    starts = numpy.arange(CUT, times[-1] - 0.5 * WINDOW, WINDOW)
    table = [row(times, -force, lift, dt, start, start + WINDOW) for start in starts]
    return [*table, row(times, -force, lift, dt, CUT + WINDOW, times[-1])]


def floor_over_weight(tools, radius):
    """Mean and standard deviation of the floor's force over the bed's weight, in the tenth before the blade is lowered."""
    times, force = series(tools, "floor", "force_z")
    weight = GRAVITY * DENSITY * 4 / 3 * math.pi * float((radius.astype(float)**3).sum())
    share = -force[(times > BEGIN - WINDOW) & (times <= BEGIN)] / weight
    return share.mean(), share.std()


def plot(axes, tools, dt):
    """Draft force of each step, and its means with their errors."""
    times, force = series(tools, "blade", "force_x")
    axes.plot(times, -force, linewidth=0.5, color="0.6", label="steps")
    means = rows(tools, dt)[:-1]
    middle = [0.5 * (float(r["from_s"]) + float(r["to_s"])) for r in means]
    axes.errorbar(middle, [float(r["draft_N"]) for r in means], yerr=[float(r["standard_error_N"]) for r in means],
                  fmt="o", markersize=3, capsize=3, label=f"means over {WINDOW:g} s, standard errors")
    axes.axvspan(BEGIN, CUT, color="0.93", label="the blade is lowered")
    axes.set_xlabel("time, s")
    axes.set_ylabel("draft force, N")
    axes.legend(fontsize=8)
