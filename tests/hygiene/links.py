#!/usr/bin/python3
"""Fails on links of the Markdown pages that lead nowhere: to a file that is not there, or to a heading that a page
does not have.

    links.py SOURCE_DIR

Addresses on the web are not looked up.
"""
import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"^(?: {4}|\t).*$|`[^`\n]*`", re.MULTILINE)


def pages(source_dir):
    yield from sorted(source_dir.glob("*.md"))
    yield from sorted((source_dir / "docs").rglob("*.md"))


def anchors(page):
    """Of its headings, as code hosts make them."""
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(page.read_text(encoding="utf-8")))
    return {word.strip().replace(" ", "-") for word in words}


def faults_of(page, source_dir):
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, heading = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists():
            yield f"{page.relative_to(source_dir)}: link to {target}: there is no such file"
        elif heading and heading not in anchors(file):
            yield f"{page.relative_to(source_dir)}: link to {target}: the page has no such heading"


def main():
    source_dir = Path(sys.argv[1]).resolve()
    found = list(pages(source_dir))
    faults = [fault for page in found for fault in faults_of(page, source_dir)]
    print("\n".join(faults + [f"links: {len(found)} pages, {len(faults)} faults"]))
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
