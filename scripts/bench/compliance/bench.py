"""What compliant contacts change, measured: uniqueness of forces, packing, bounces, rest, draft force, jammed boxes.

  scripts/bench/run compliance PART ... [--results FOLDER] [--runs FOLDER] [--short]

PART is the name of a module of scripts/bench/compliance/parts, whose head says what is measured. Its table is
FOLDER/PART.csv, written anew after every row, so that a bench that is cut off leaves what it has.
--runs keeps the runs. --short takes small sizes, for a test.
"""
import argparse
import dataclasses
import importlib
import pathlib
import tempfile

import common

NAMES = sorted(p.stem for p in (pathlib.Path(__file__).parent / "parts").glob("*.py"))


@dataclasses.dataclass
class Study:
    part: str
    title: str
    results: pathlib.Path
    folder: pathlib.Path  # of the runs
    short: bool
    note: str = ""
    after: list = dataclasses.field(default_factory=list)  # lines below the table
    rows: list = dataclasses.field(default_factory=list)

    def add(self, row):
        """One more row of the table; written with those before it."""
        self.rows.append(row)
        self.write()

    def write(self):
        common.write_results(self.results, self.title, f"scripts/bench/run compliance {self.part}" + " --short" * self.short,
                             self.rows, self.note, self.after)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="PART", choices=NAMES, help=", ".join(NAMES))
    common.declare_results(parser)
    parser.add_argument("--runs", type=pathlib.Path)
    parser.add_argument("--short", action="store_true")
    args = parser.parse_args()
    for part in args.parts:
        module = importlib.import_module(f"parts.{part}")
        with tempfile.TemporaryDirectory() as temporary:
            folder = (args.runs or pathlib.Path(temporary)) / part
            folder.mkdir(parents=True, exist_ok=True)
            study = Study(part, module.TITLE, args.results / part, folder, args.short, getattr(module, "NOTE", ""))
            module.measure(study)


if __name__ == "__main__":
    main()
