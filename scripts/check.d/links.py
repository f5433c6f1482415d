"""Prints every link of a tracked document that leads to no file or no heading, or whose text names another document.

usage: python3 scripts/check.d/links.py [PATTERN…]

The documents are the .md files that the patterns of `git ls-files` find; all of the repository without a pattern.
"""

import pathlib
import re
import subprocess
import sys
import urllib.parse

LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)")


def lines(document: pathlib.Path) -> list:
    """The lines with their numbers, without blocks of code."""
    found, is_code = [], False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code:
            found.append((number, line))
    return found


def anchors(document: pathlib.Path) -> set:
    """The names to which a link may lead: those that forges make of headings, and those that are written out."""
    found = set()
    for _, line in lines(document):
        found.update(re.findall(r'<a id="([^"]+)"', line))
        if heading := re.match(r"#{1,6} +(.*)", line):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            count = sum(1 for known in found if re.fullmatch(rf"{re.escape(name)}(-\d+)?", known))
            found.add(f"{name}-{count}" if count else name)
    return found


def faults(document: pathlib.Path, known: dict) -> list:
    """What is wrong with the links of a document."""
    found = []
    for number, line in lines(document):
        for text, target in LINK.findall(re.sub(r"`[^`]*`", lambda code: code[0].replace("](", "] ("), line)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            place = (document.parent / urllib.parse.unquote(path)).resolve() if path else document.resolve()
            if not place.exists():
                found.append(f"{document}:{number}: there is no {path}")
                continue
            if anchor and place.suffix == ".md":
                if place not in known:
                    known[place] = anchors(place)
                if urllib.parse.unquote(anchor) not in known[place]:
                    found.append(f"{document}:{number}: there is no #{anchor} in {place.name}")
            if re.fullmatch(r"(\w+/)?[\w-]+\.md", text) and pathlib.Path(text).name != place.name:
                found.append(f"{document}:{number}: {text} leads to {place.name}")
    return found


def main() -> int:
    # Git quotes names that are not ASCII, unless they end with 0. Only documents are read: other files may be no text.
    listed = subprocess.run(["git", "ls-files", "-z", "--", *sys.argv[1:]], check=True, stdout=subprocess.PIPE, text=True)
    names = [name for name in listed.stdout.split("\0") if name.endswith(".md")]
    known = {}
    for name in names:
        for fault in faults(pathlib.Path(name), known):
            print(fault)
    return 0


if __name__ == "__main__":
    sys.exit(main())
