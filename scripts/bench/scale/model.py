"""An alpha-beta model of a step: what one rank computes, what a message costs, and counts, give seconds on any machine.

  T = g grains + c contacts sweeps + alpha (messages + collectives log2 P) + beta bytes,     all of the rank that has most

Messages count as if nothing went on meanwhile.
"""
import dataclasses
import math

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  the backend first

# s a message, and s a byte: a node's 64 ranks, a cube of 4 x 4 x 4 regions, share 100 Gb/s for the quarter of their bytes
# that leaves it; the others are copied at 6 GB/s
CLUSTER = (2e-6, 0.25 * 64 / 12.5e9 + 0.75 / 6e9)


@dataclasses.dataclass(frozen=True)
class Constants:
    grain: float  # g, s a grain and step: all but the sweeps
    contact: float  # c, s a contact and sweep, with its share of the checks
    latency: float  # alpha, s
    per_byte: float  # beta, s

    def lines(self, grains):
        return [f"The model's constants: {1e6 * self.grain:.3g} us a grain and step, {1e9 * self.contact:.3g} ns a contact and "
                f"sweep (one rank with {grains:,} grains), {1e6 * self.latency:.3g} us a message, {1e9 * self.per_byte:.3g} ns a "
                "byte."]


@dataclasses.dataclass(frozen=True)
class Load:
    """Of a rank, in a step."""
    ranks: int
    grains: float
    contacts: float
    sweeps: float
    messages: float
    bytes: float
    collectives: float


def load(last, ranks, step, sweep, sweeps):
    """Of the rank that has most: by a row of steps.csv, and the counts of a step without sweeps and of a sweep."""
    return Load(ranks, last["bodies"] / ranks * last["imbalance"], last["contacts"] / ranks * last["imbalance"], sweeps,
                step.messages + sweeps * sweep.messages, step.bytes + sweeps * sweep.bytes,
                step.collectives + sweeps * sweep.collectives)


def load_of_table(row, ranks):
    """Of so many ranks, of whom each has the counts of a row of the table of counts."""
    most, sweeps = float(row["imbalance_most"]), int(row["sweeps_last"])
    def both(name):
        return float(row[f"{name}_a_step"]) + sweeps * float(row[f"{name}_a_sweep"])
    alone = ranks == 1
    return Load(ranks, float(row["grains"]) / int(row["ranks"]) * most, float(row["contacts"]) / int(row["ranks"]) * most, sweeps,
                0.0 if alone else both("messages"), 0.0 if alone else 1e3 * both("kB"), both("collectives"))


def constants(step, sweep, last, network):
    """By the counts of one rank and a row of its steps.csv."""
    return Constants(step.seconds / last["bodies"], sweep.seconds / last["contacts"], *network)


def seconds(c, of):
    """Computing, and communication."""
    waits = of.messages + of.collectives * math.ceil(math.log2(of.ranks))
    return c.grain * of.grains + c.contact * of.contacts * of.sweeps, c.latency * waits + c.per_byte * of.bytes


def draw_counts(file, rows):
    """Of tables of counts, over the number of ranks."""
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4))
    ranks = [row["ranks"] for row in rows]
    for axis, keys in zip(axes, (("ghosts_a_rank", "kB_a_step", "messages_a_step", "collectives_a_step", "neighbours"),
                                 ("sweeps_first", "sweeps_last", "kB_a_sweep", "messages_a_sweep", "collectives_a_sweep"))):
        for key in keys:
            axis.loglog(ranks, [float(row[key]) for row in rows], "o-", base=2, label=key)
        axis.set_xticks(ranks, ranks)
        axis.set_yscale("log", base=10)
        axis.set_xlabel("ranks")
        axis.legend()
    figure.tight_layout()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=100)
    return file.name


def draw_imbalance(file, steps):
    """Over time."""
    figure, axis = pyplot.subplots(figsize=(7, 3.5))
    axis.plot([step["time"] for step in steps], [step["imbalance"] for step in steps])
    axis.set_xlabel("time, s")
    axis.set_ylabel("busiest rank's load over the mean")
    figure.tight_layout()
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=100)
    return file.name
