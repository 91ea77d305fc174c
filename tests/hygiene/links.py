#!/usr/bin/python3
"""Fails on links of the Markdown pages that lead nowhere: to a file that is not there, or to a heading that a page
does not have; and on commits that pages name and the history does not have.

    links.py SOURCE_DIR

Addresses on the web are not looked up, nor commits where SOURCE_DIR is no whole clone, or has a history of its own
with none of them, which is said.
"""
import bisect
import re
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
COMMIT = re.compile(r"\bcommit ([0-9a-f]{7,40})\b")
CODE = re.compile(r"^(?: {4}|\t).*$|`[^`\n]*`", re.MULTILINE)


def pages(source_dir):
    yield from sorted(source_dir.glob("*.md"))
    yield from sorted((source_dir / "docs").rglob("*.md"))


def anchors(page):
    """Of its headings, as code hosts make them."""
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(page.read_text(encoding="utf-8")))
    return {word.strip().replace(" ", "-") for word in words}


def history(source_dir):
    """The commits that lead to this one; none where not all are here."""
    def git(*words):
        return subprocess.run(["git", "-C", source_dir, *words], capture_output=True, text=True, check=True).stdout

    try:
        whole = git("rev-parse", "--show-prefix", "--is-shallow-repository").split("\n")[:2] == ["", "false"]
        return sorted(git("rev-list", "HEAD").split()) if whole else []
    except (OSError, subprocess.CalledProcessError):
        return []


def is_among(commits, start):
    at = bisect.bisect_left(commits, start)
    return at < len(commits) and commits[at].startswith(start)


def faults_of(page, source_dir, commits):
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    for commit in COMMIT.findall(text) if commits else []:
        if not is_among(commits, commit):
            yield f"{page.relative_to(source_dir)}: commit {commit}: there is none in the history"
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
    commits = history(source_dir)
    if not any(is_among(commits, name) for page in found for name in COMMIT.findall(page.read_text(encoding="utf-8"))):
        commits = []
    faults = [fault for page in found for fault in faults_of(page, source_dir, commits)]
    looked_up = "" if commits else "; commits were not looked up: this is no whole clone of the project"
    print("\n".join(faults + [f"links: {len(found)} pages, {len(faults)} faults{looked_up}"]))
    return 1 if faults or not found else 0


if __name__ == "__main__":
    sys.exit(main())
