"""What a law needs for its study: runs of scree, a plot and checks.

A law is a module of laws/ whose head says what is measured, with

    TITLE, SOURCE           of the table; the literature's law (authors, year, journal)
    measure(lab) -> rows    of the table, dicts of the same keys; draws on lab.axes (matplotlib), asks lab.check()

Its short form is a test (ctest -R physics_law), of some ten seconds: bounds must be wide enough for runs of chaotic
beds that differ by rounding.
"""
import dataclasses
import importlib
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

import common


@dataclasses.dataclass
class Lab:
    folder: pathlib.Path  # of the runs
    ranks: int
    short: bool  # small sizes, for a test
    axes: plt.Axes
    checks: list = dataclasses.field(default_factory=list)
    counted: set = dataclasses.field(default_factory=set)  # names of the runs in the sums that follow
    seconds: float = 0.0  # of wall clock
    steps: int = 0
    unsolved: int = 0  # steps that are not converged
    tolerance: float = 0.0  # the largest to which steps are solved

    def run(self, name, config):
        """The folder of the run of a configuration (what its YAML would hold, as dicts and lists). Taken as it is where
        it has been run already.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        file, done = self.folder / f"{name}.yaml", self.folder / f"{name}.seconds"
        config = {"name": name, **config}
        if not done.exists() or json.loads(file.read_text(encoding="utf-8")) != config:
            done.unlink(missing_ok=True)
            file.write_text(json.dumps(config, indent=1), encoding="utf-8")
            seconds, _ = common.run(file, self.folder / name, self.ranks)
            done.write_text(f"{seconds:.3f}", encoding="utf-8")
            print(f"{name}: {seconds:.1f} s", flush=True)
        if name not in self.counted:
            self.count(name, config, float(done.read_text(encoding="utf-8")))
        return self.folder / name

    def count(self, name, config, seconds):
        self.counted.add(name)
        self.seconds += seconds
        statuses = [step["status"] for step in common.table(self.folder / name)]
        self.steps += len(statuses)
        self.unsolved += sum(status != "converged" for status in statuses)
        self.tolerance = max(self.tolerance, config.get("solver", {}).get("tolerance", 1e-4))

    @property
    def seeds(self):
        """Seeds of the beds over which a law takes its means."""
        return (1,) if self.short else (1, 2, 3)

    def check(self, what, value, low, high, error=0.0):
        """A number, maybe with its standard error, that must lie between two bounds; what they are is said in `what` or
        beside the call.
        """
        self.checks.append((what, value, low, high, error, low <= value <= high))


def mean_and_error(beds):
    """Means of the figures of beds of other seeds, dicts of the same keys, and the standard errors of these means (0 of
    one bed alone).
    """
    values = {key: numpy.array([bed[key] for bed in beds], dtype=float) for key in beds[0]}
    errors = {key: v.std(ddof=1) / len(beds)**0.5 if len(beds) > 1 else 0.0 for key, v in values.items()}
    return {key: v.mean() for key, v in values.items()}, errors


def with_error(value, error):
    """A mean as a page has it, with its standard error where it has one."""
    return f"{value:.4g} +- {error:.2g}" if error else f"{value:.4g}"


def study(name, runs, results, ranks, short):
    """Measures a law and writes RESULTS.csv, .png and a section of the page beside them; whether all its checks hold."""
    law = importlib.import_module(f"laws.{name}")
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    lab = Lab(runs, ranks, short, axes)
    rows = law.measure(lab)
    if not lab.checks:
        raise SystemExit(f"{name}: nothing was checked")
    command = f"scripts/bench/run physics {name}" + (" --short" if short else "")
    lines = [f"Law: {law.SOURCE}.", "", f"{lab.seconds:.0f} s of wall clock on {ranks} rank{'s' * (ranks > 1)}; {lab.unsolved} of {lab.steps} "
             f"steps are not converged to {lab.tolerance:g}.", "",
             *(f"- {what}: {with_error(value, error)}, between {low:.4g} and {high:.4g}: {'holds' if holds else 'FAILS'}"
               for what, value, low, high, error, holds in lab.checks)]
    common.write_results(results, law.TITLE, command, rows, after=lines, picture=f"{name}.png")
    axes.set_title(law.TITLE, fontsize="medium")
    figure.savefig(results.with_suffix(".png"), dpi=90)
    plt.close(figure)
    return all(check[-1] for check in lab.checks)
