#!/usr/bin/python3
"""Fails on numbers of the pages that do not stand in the tables that they are quoted from.

    quotes.py SOURCE_DIR

A paragraph, an item of a list or a row of a table that links a page of results quotes from it. A number belongs to the
links that follow it next, or to the last ones, and must stand, as it is rounded, in the linked section of the page
or in that section's table, `#NAME` and NAME.csv; with a link to the page alone, in the page or any table beside it.
That is a check by name. A mark checks a value, that of the number before it, with a link or without:

    in 2.9<!-- trench_ipm/runs: processor_s | run=trench-ipm by psor, seed=1 --> s
    68 to 71<!-- trench_ipm/runs: min..max processor_s | run=trench-ipm -->

TABLE: COLUMN | KEY=VALUE, ...  a cell of docs/results/TABLE.csv; its rows that fit must agree. KEY<=VALUE and
KEY>=VALUE compare numbers. COLUMN[1] is the second of the numbers in a cell, COLUMN * 1e3 a number of another unit. Before
COLUMN may stand min, max, median, mean, sum or count; min..max is of two numbers, the least and the largest; below and
above say that the number is a bound of all. `<!-- not measured -->` ends a number that is none of a table: a setting, a count of things, a size.

Numbers in ms, um, mm/s and the like are compared with those of tables in s, m and m/s, too.

Exempt by themselves: code, links' targets, years, exponents, numbers in words (box500t, H2O), at the start of a row (7, Fig. 4) and after Fig., Table, eq.,
section, line, paper, issue, Algorithm, Theorem.
The words that people write on a page of results, below the mark at a section's end, are quotes from its table likewise.
"""
import csv
import re
import statistics
import sys
from pathlib import Path

RESULTS = "docs/results"
NUMBER = r"(?<![\w.^/,*])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?![\w^]|[.,]\d)"
MARK = re.compile(r"<!--\s*([\w-]+/[\w-]+):\s*(.+?)\s*(?:\|\s*(.*?)\s*)?-->", re.DOTALL)
CONDITION = re.compile(r"([^=<>]+?)(=|<=|>=)(.*)", re.DOTALL)
PLAIN = re.compile(r"<!-- not measured -->")
LINK = re.compile(r"\]\(([^)\s]+)\)")
EXEMPT = re.compile(
    r"^(?: {4}|\t).*$|^\| \d+(?=[,:] )|`[^`\n]*`|\]\([^)]*\)|\((?:[^()\d]*\b(?:1[6-9]|20)\d\d\b[^()]*)\)|\b(?:1[6-9]|20)\d\d\b(?=[,;)])"
    r"|\b(?:Figs?\.|Tables?|[Ee]qs?\.|sections?|line|[Pp]aper|Algorithm|Theorem|Pool)\s\d+(?:(?:,| to| and)\s\d+)*", re.MULTILINE)
UNIT = re.compile(rf"(?:(?:,| to| and| or)+ {NUMBER})*\s([mu])(?:s|m|m/s)\b")
PREFIXES = {"m": 1e3, "u": 1e6}
TOTALS = {"min": min, "max": max, "median": statistics.median, "mean": statistics.fmean, "sum": sum, "count": len}


TOTAL = re.compile(r"(?:min\.\.max|below|above|" + "|".join(TOTALS) + r") ")


def value_of(text):
    return float(text.replace(",", ""))


def half_unit(text):
    """Half a unit of the last place of a number as it is written: 0.5 of 68, 0.005 of 0.07, 50 of 2,100 or of 2.1e3."""
    digits, _, exponent = text.lower().lstrip("+-").partition("e")
    whole, _, decimals = digits.replace(",", "").partition(".")
    power = -len(decimals)
    if not decimals and "," in text:
        power = len(whole) - len(whole.rstrip("0"))
    return 0.5 * 10.0 ** (power + int(exponent or 0))


def stands_for(written, value):
    """Whether a number is this value, rounded as it is written."""
    return abs(abs(value_of(written)) - abs(value)) <= half_unit(written) * (1 + 1e-9) + 1e-12 * abs(value)


def numbers_in(text):
    """Numbers of a cell or of a page's words, whatever stands around them: 5040 of box5040t-seed1."""
    return [value_of(n) for n in re.findall(r"(?<![\d.])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?", text)]


def fits(cell, how, value):
    """Whether a cell of a row is as a condition wants it; one without a number is not compared."""
    if how == "=":
        return cell == value
    numbers = numbers_in(cell)
    return bool(numbers) and (numbers[0] <= float(value) if how == "<=" else numbers[0] >= float(value))


class Results:
    """The tables and pages of docs/results."""

    def __init__(self, source_dir):
        self.folder = source_dir / RESULTS
        self.tables = {}

    def table(self, name):
        """The rows of docs/results/NAME.csv, dicts of text; none where there is no such table."""
        if name not in self.tables:
            file = self.folder / f"{name}.csv"
            self.tables[name] = None
            if file.is_file():
                with open(file, newline="", encoding="utf-8") as lines:
                    self.tables[name] = list(csv.DictReader(lines))
        return self.tables[name]

    def names(self, bench, section):
        """The tables that a link to a page, or to a section of it, means."""
        return [f"{bench}/{f.stem}" for f in sorted((self.folder / bench).glob("*.csv")) if section in ("", f.stem)]

    def values(self, bench, section):
        """All numbers of a linked page, or of its section with its table."""
        text = (self.folder / bench / "README.md").read_text(encoding="utf-8")
        if section:
            parts = re.split(r"^## ", text, flags=re.MULTILINE)
            text = next((part for part in parts if part.partition("\n")[0] == section), "")
        found = numbers_in(re.sub(r"^!\[.*$", "", text, flags=re.MULTILINE))
        return found + [value for name in self.names(bench, section) for value in self.of_table(name)]

    def of_table(self, name):
        """All numbers of a table and of its head; none of one that there is not."""
        return [number for row in self.table(name) or [] for cell in (*row, *row.values()) for number in numbers_in(cell or "")]

    def marked(self, name, column, conditions):
        """The one or two values that a mark means; ValueError says why it means none."""
        rows = self.table(name)
        if rows is None:
            raise ValueError(f"there is no table {name}.csv")
        conditions = " ".join((conditions or "").split())
        wanted = [CONDITION.fullmatch(condition) for condition in re.split(r", (?=[^,=<>]+(?:=|<=|>=))", conditions) if condition]
        if None in wanted:
            raise ValueError(f"a condition is KEY=VALUE, KEY<=VALUE or KEY>=VALUE: {conditions}")
        column = " ".join(column.split())
        *total, column = column.split(" ", 1) if re.match(TOTAL, column) else (column,)
        column, _, factor = column.partition(" * ")
        place = re.fullmatch(r"(.*)\[(\d)\]", column)
        column = place[1] if place else column
        for key in [column, *(condition[1] for condition in wanted)]:
            if key not in rows[0]:
                raise ValueError(f"{name}.csv has no column {key}; it has {', '.join(rows[0])}")
        fitting = [row for row in rows if all(fits(row[key], how, value) for key, how, value in (c.groups() for c in wanted))]
        if total == ["count"]:
            return [len(fitting)]
        cells = [row[column] for row in fitting]
        cells = [float(factor or 1) * numbers_in(cell)[int(place[2]) if place else 0] for cell in cells if numbers_in(cell)]
        if not cells:
            raise ValueError(f"{name}.csv has no such row: {conditions}")
        if not total:
            if len(set(cells)) > 1:
                raise ValueError(f"{name}.csv has {len(cells)} such rows, of {min(cells):g} to {max(cells):g}: {conditions}")
            return cells[:1]
        if total[0] == "min..max":
            return [min(cells), max(cells)]
        return [{**TOTALS, "below": max, "above": min}[total[0]](cells)]


def blocks_of(text):
    """Paragraphs, items of lists and rows of tables, each with the number of its first line."""
    lines, first = [], 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        alone = re.match(r"\s*(\||[-*] |#|<!-- end of)", line)
        if lines and (not line.strip() or alone):
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            first = number if not lines else first
            lines.append(line)
        if lines and line.startswith("|"):
            yield first, line
            lines = []


def linked(block, page, results):
    """(place, bench, section) of each link to a page of results."""
    for link in LINK.finditer(block):
        name, _, section = link[1].partition("#")
        file = (page.parent / name).resolve()
        if file.parent.parent == results.folder and file.exists():
            yield link.start(), file.parent.name, file.stem if file.suffix == ".csv" else section


def sources_of(number, links, all_numbers):
    """The links that a number belongs to: of those after it the first and what follows that before the next number, or else
    the last ones.
    """
    after = [link for link in links if link[0] > number.start()]
    first = after[0] if after else links[-1]
    if after:
        ends = min((n.start() for n in all_numbers if n.start() > first[0]), default=float("inf"))
        return [link[1:] for link in after if link[0] < ends]
    starts = max((n.start() for n in all_numbers if n.start() < first[0]), default=-1)
    return [link[1:] for link in links if link[0] > starts]


def faults_of_marks(block, results):
    for mark in MARK.finditer(block):
        before = re.findall(NUMBER, block[:mark.start()])
        try:
            values = results.marked(mark[1], mark[2], mark[3])
        except ValueError as fault:
            yield str(fault)
            continue
        for written, value in zip(before[-len(values):], values):
            bound = {"below": value <= value_of(written), "above": value >= value_of(written)}.get(mark[2].split()[0])
            if not (stands_for(written, value) if bound is None else bound):
                yield f"{written}, where {mark[1]}.csv has {value:g} ({mark[2]}{' | ' + mark[3] if mark[3] else ''})"
        if len(before) < len(values):
            yield f"no number stands before the mark of {mark[1]}"


def unmarked(block, results):
    """The numbers of a block that no mark belongs to."""
    count = {}
    for mark in MARK.finditer(block):
        count[mark.start()] = 2 if "min..max" in mark[2] else 1
    count |= {mark.start(): 1 for mark in PLAIN.finditer(block)}
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])
    text = EXEMPT.sub(blank, re.sub(r"<!--.*?-->", blank, block, flags=re.DOTALL))
    numbers = list(re.finditer(NUMBER, text))
    for start, many in count.items():
        before = [n for n in numbers if n.end() <= start]
        numbers = [n for n in numbers if n not in before[len(before) - many:]]
    return numbers


def faults_of(page, results, source_dir):
    text, of_results, section = page.read_text(encoding="utf-8"), page.parent.parent == results.folder, None
    for first, block in blocks_of(text):
        where = f"{page.relative_to(source_dir)}:{first}"
        ended = re.match(r"<!-- end of (\S+) -->", block)
        section = ended[1] if ended else None if block.startswith("#") else section
        yield from (f"{where}: {fault}" for fault in faults_of_marks(block, results))
        links = list(linked(block, page, results)) if not of_results else []
        numbers = unmarked(block, results)
        for number in numbers:
            if of_results and section and not ended:
                sources = [(page.parent.name, section)]
                values = results.of_table(f"{page.parent.name}/{section}")
            elif links:
                sources = sources_of(number, links, numbers)
                values = [value for source in sources for value in results.values(*source)]
            else:
                continue
            unit = UNIT.match(block, number.end())
            factors = (1, PREFIXES[unit[1]]) if unit else (1,)
            if not any(stands_for(number[0], factor * value) for value in values for factor in factors):
                named = " or ".join("#".join(filter(None, source)) for source in sources)
                yield f"{where}: {number[0]} does not stand in {named}"


def pages(source_dir):
    yield from sorted(source_dir.glob("README.md"))
    yield from sorted((source_dir / "docs").glob("*.md"))
    yield from sorted((source_dir / RESULTS).glob("*/README.md"))


def main():
    source_dir = Path(sys.argv[1]).resolve()
    results, found = Results(source_dir), list(pages(source_dir))
    faults = [fault for page in found for fault in faults_of(page, results, source_dir)]
    print("\n".join(faults + [f"quotes: {len(found)} pages, {len(faults)} faults"]))
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
