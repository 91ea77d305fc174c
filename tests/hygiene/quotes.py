#!/usr/bin/python3
"""Fails on numbers of the pages that do not stand in the tables that they are quoted from.

    quotes.py SOURCE_DIR

A paragraph, an item of a list or a row of a table that links a page of results quotes from it; rows
without links have those of the paragraph above their table. A number belongs to the links next to
it, before and after, and must stand, as it is rounded, in the linked section of the page or in that
section's table, `#NAME` and NAME.csv; with a link to the page alone, in the page or any table
beside it. That is a check by name. A mark checks a value, that of the number before it, with a link
or without:

    in 2.9<!-- trench_ipm/runs: processor_s | run=trench-ipm by psor, seed=1 --> s
    68 to 71<!-- trench_ipm/runs: min..max processor_s | run=trench-ipm -->

TABLE: COLUMN | KEY=VALUE, ...  a cell of docs/results/TABLE.csv; its rows that fit must agree.
KEY<=VALUE and KEY>=VALUE compare numbers. COLUMN[1] is the second of the numbers in a cell,
COLUMN * 1e3 a number of another unit. Before COLUMN may stand min, max, median, mean, sum or count;
min..max is of two numbers, the least and the largest; below and above say that the number is a
bound of all. `<!-- not measured -->` ends a number that is of no table: a setting, a size,
another's result.

Numbers in ms, um, mm/s and the like are compared with those of tables in s, m and m/s, too.

Exempt by themselves: code, links' targets, years, exponents, numbers in words (box500t, H2O), at
the start of a row (7, Fig. 4), alone in parentheses and after Fig., Table, eq., section, line,
paper, Algorithm, Theorem, Pool. The name of a commit (7836e334) is no number, neither on a page nor
in a table.

The words that people write on a page of results, below the mark at a section's end, are quotes from
its table likewise.
"""
import csv
import re
import statistics
import sys
from pathlib import Path

RESULTS = "docs/results"
DIGITS = r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?"
NUMBER = rf"(?<![\w.^/,*]){DIGITS}(?![\w^]|[.,]\d)"
MARK = re.compile(r"<!--\s*([\w-]+/[\w-]+):\s*(.+?)\s*(?:\|\s*(.*?)\s*)?-->", re.DOTALL)
PLAIN = re.compile(r"<!--\s+not\s+measured\s+-->")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
CONDITION = re.compile(r"([^=<>]+?)(=|<=|>=)(.*)", re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMIT = re.compile(r"\b[Cc]ommits?\s+[0-9a-f]{7,40}\b"
                    r"|(?<![\w.])(?=\d*[a-f])[0-9a-f]{7,40}(?!\w|[-+.]\d)")
CODE = re.compile(r"^(?: {4}|\t).*$|`[^`\n]*`", re.MULTILINE)
EXEMPT = re.compile("|".join([
    r"^\| \d+(?=[,:] )",  # the section of a paper, in a row
    r"\(\d+\)",  # an equation
    r"\]\([^)]*\)",  # a link's target
    r"\([^()\d]*\b(?:1[6-9]|20)\d\d\b[^()]*\)|\b(?:1[6-9]|20)\d\d\b(?=[,;)])",  # years
    r"\b(?:Figs?\.|Tables?|[Ee]qs?\.|sections?|line|[Pp]aper|Algorithm|Theorem|Pool)"
    r"\s\d+(?:(?:,| to| and)\s\d+)*"]), re.MULTILINE)
UNIT = re.compile(rf"(?:(?:,| to| and| or)+ {NUMBER})*\s([mu])(?:s|m|m/s)\b")
PREFIXES = {"m": 1e3, "u": 1e6}
TOTALS = {"min": min, "max": max, "median": statistics.median, "mean": statistics.fmean,
          "sum": sum, "below": max, "above": min}
TOTAL = re.compile(rf"(?:min\.\.max|count|{'|'.join(TOTALS)}) ")


def blanks(found):
    """As many blanks, and the line ends."""
    return re.sub(r"[^\n]", " ", found[0])


def value_of(text):
    return float(text.replace(",", ""))


def half_unit(text):
    """Half a unit of the last place of a number as it is written: 0.5 of 68, 0.005 of 0.07, 50 of
    2,100 or of 2.1e3.
    """
    digits, _, exponent = text.lower().lstrip("+-").partition("e")
    whole, _, decimals = digits.replace(",", "").partition(".")
    power = -len(decimals)
    if not decimals and "," in text:
        power = len(whole) - len(whole.rstrip("0"))
    return 0.5 * 10.0 ** (power + int(exponent or 0))


def stands_for(written, value):
    """Whether a number is this value, rounded as it is written; its sign may be words."""
    difference = abs(abs(value_of(written)) - abs(value))
    return difference <= half_unit(written) * (1 + 1e-9) + 1e-12 * abs(value)


def numbers_in(text):
    """Numbers of a cell or of a page, whatever stands around them: 5040 of box5040t-seed1."""
    return [value_of(number) for number in re.findall(rf"(?<![\d.]){DIGITS}", COMMIT.sub(" ", text))]


def fits(cell, how, value):
    """Whether a cell of a row is as a condition wants it; one without a number is not compared."""
    if how == "=":
        return cell == value
    numbers = numbers_in(cell)
    return bool(numbers) and (numbers[0] <= float(value) if how == "<=" else
                              numbers[0] >= float(value))


def conditions_of(text):
    """(key, how, value) of each; the values may have commas."""
    text = " ".join((text or "").split())
    found = [CONDITION.fullmatch(part) for part in re.split(r", (?=[^,=<>]+[=<>])", text) if part]
    if None in found:
        raise ValueError(f"a condition is KEY=VALUE, KEY<=VALUE or KEY>=VALUE: {text}")
    return [condition.groups() for condition in found]


class Results:
    """The tables and pages of docs/results."""

    def __init__(self, source_dir):
        self.folder = source_dir / RESULTS
        self.tables = {}

    def table(self, name):
        """The rows of docs/results/NAME.csv, dicts of text; none where there is no such table."""
        if name not in self.tables:
            file = self.folder / f"{name}.csv"
            self.tables[name] = []
            if file.is_file():
                with open(file, newline="", encoding="utf-8") as lines:
                    self.tables[name] = list(csv.DictReader(lines))
        return self.tables[name]

    def of_table(self, name):
        """All numbers of a table and of its head."""
        return [number for row in self.table(name) for cell in (*row, *row.values())
                for number in numbers_in(cell or "")]

    def of_link(self, bench, section):
        """All numbers of a linked page and its tables, or of its section with its table."""
        text = (self.folder / bench / "README.md").read_text(encoding="utf-8")
        if section:
            parts = re.split(r"^## ", text, flags=re.MULTILINE)
            text = next((part for part in parts if part.partition("\n")[0] == section), "")
        files = (self.folder / bench).glob("*.csv")
        tables = [f"{bench}/{file.stem}" for file in files if section in ("", file.stem)]
        return numbers_in(text) + [value for name in tables for value in self.of_table(name)]

    def of_mark(self, name, column, conditions):
        """The one or two values that a mark means; ValueError says why it means none."""
        rows, wanted, column = self.table(name), conditions_of(conditions), " ".join(column.split())
        if not rows:
            raise ValueError(f"there is no table {name}.csv")
        *total, column = column.split(" ", 1) if TOTAL.match(column) else (column,)
        column, _, factor = column.partition(" * ")
        place = re.fullmatch(r"(.*)\[(\d)\]", column)
        column, nth = (place[1], int(place[2])) if place else (column, 0)
        for key in [column, *(key for key, _, _ in wanted)]:
            if key not in rows[0]:
                raise ValueError(f"{name}.csv has no column {key}; it has {', '.join(rows[0])}")
        fitting = [row for row in rows if all(fits(row[key], how, v) for key, how, v in wanted)]
        if total == ["count"]:
            return [len(fitting)]
        cells = [numbers_in(row[column]) for row in fitting]
        values = [float(factor or 1) * cell[nth] for cell in cells if len(cell) > nth]
        if not values:
            raise ValueError(f"{name}.csv has no such row: {conditions}")
        least, largest = min(values), max(values)
        if not total and least < largest:
            raise ValueError(f"{name}.csv has {len(values)} such rows, of {least:g} to {largest:g}")
        if total == ["min..max"]:
            return [least, largest]
        return [TOTALS[total[0]](values) if total else least]


def blocks_of(text):
    """Paragraphs, items of lists and rows of tables, each with the number of its first line."""
    lines, first = [], 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        alone = re.match(r"\s*(\||[-*] |#|<!-- end of)", line)
        if lines and (not line.strip() or alone or lines[0].startswith("|")):
            yield first, "\n".join(lines)
            lines = []
        if line.strip():
            first = number if not lines else first
            lines.append(line)


def links_of(block, page, results):
    """(place, bench, section) of each link to a page of results."""
    for link in LINK.finditer(block):
        name, _, section = link[1].partition("#")
        file = (page.parent / name).resolve()
        if file.parent.parent == results.folder and file.exists():
            yield link.start(), file.parent.name, file.stem if file.suffix == ".csv" else section


def sources_of(number, links, numbers):
    """The links that a number belongs to: those that follow it next, and the last before it, with
    nothing but words between one link and the next.
    """
    after = [place for place, _, _ in links if place > number.start()]
    before = [place for place, _, _ in links if place < number.start()]
    ends = [n.start() for n in numbers if after and n.start() > after[0]]
    starts = [n.start() for n in numbers if before and n.start() < before[-1]]
    low, high = max(starts, default=-1), min(ends, default=float("inf"))
    return [link[1:] for link in links if low < link[0] < high]


def faults_of_marks(block, results):
    for mark in MARK.finditer(block):
        before = re.findall(NUMBER, COMMENT.sub("", block[:mark.start()]))
        named = " | ".join(filter(None, (mark[2], mark[3])))
        try:
            values = results.of_mark(*mark.groups())
        except ValueError as fault:
            yield str(fault)
            continue
        if len(before) < len(values):
            yield f"no number stands before the mark of {mark[1]}"
        for written, value in zip(before[-len(values):], values):
            holds = {"below": value <= value_of(written), "above": value >= value_of(written)}
            if not holds.get(mark[2].split()[0], stands_for(written, value)):
                yield f"{written}, where {mark[1]}.csv has {value:g} ({named})"


def unmarked(block):
    """The numbers of a block that no mark belongs to."""
    words = COMMIT.sub(blanks, COMMENT.sub(blanks, block))
    numbers = list(re.finditer(NUMBER, EXEMPT.sub(blanks, words)))
    marks = [(mark.start(), 2 if "min..max" in mark[2] else 1) for mark in MARK.finditer(block)]
    for start, count in marks + [(mark.start(), 1) for mark in PLAIN.finditer(block)]:
        before = [number for number in numbers if number.end() <= start]
        numbers = [number for number in numbers if number not in before[-count:]]
    return numbers


def stands_in(number, block, values):
    unit = UNIT.match(block, number.end())
    factors = (1, PREFIXES[unit[1]]) if unit else (1,)
    return any(stands_for(number[0], factor * value) for value in values for factor in factors)


def faults_of(page, results, source_dir):
    text = CODE.sub(blanks, page.read_text(encoding="utf-8"))
    bench, section = page.parent.name, None  # section: of a page of results, below its mark
    above = []  # links of the paragraph above a table
    for first, block in blocks_of(text):
        where = f"{page.relative_to(source_dir)}:{first}"
        yield from (f"{where}: {fault}" for fault in faults_of_marks(block, results))
        numbers, links = unmarked(block), list(links_of(block, page, results))
        if page.parent.parent == results.folder:
            ended = re.match(r"<!-- end of (\S+) -->", block)
            section = ended[1] if ended else None if block.startswith("#") else section
            links = [(0, bench, section)] if section and not ended else []
        if not block.startswith("|"):
            above = [(0, *link[1:]) for link in links]
        links = links or above
        for number in numbers if links else []:
            sources = [links[0][1:]] if section else sources_of(number, links, numbers)
            values = results.of_table(f"{bench}/{section}") if section else [
                value for source in sources for value in results.of_link(*source)]
            if not stands_in(number, block, values):
                named = " or ".join("#".join(filter(None, source)) for source in sources)
                yield f"{where}: {number[0]} does not stand in {named}"


def pages(source_dir):
    yield from sorted(source_dir.glob("README.md"))
    yield from sorted((source_dir / "docs").rglob("*.md"))


def main():
    source_dir = Path(sys.argv[1]).resolve()
    results, found = Results(source_dir), list(pages(source_dir))
    faults = [fault for page in found for fault in faults_of(page, results, source_dir)]
    print("\n".join(faults + [f"quotes: {len(found)} pages, {len(faults)} faults"]))
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
