"""Cases of the sabotage suite: one text file each, with header lines and then the files that the case adds.

The first line says what the case does. `name: value` lines follow, then sections `-- path --` with the text of a file;
`-- path -- (delete)` removes a file of the sample package. Tests/Sabotage/README.md lists the names.
"""

import dataclasses
import pathlib
import random
import re

from tools import ROOT

SUITE = ROOT / "Tests" / "Sabotage"
SECTION = re.compile(r"^-- (\S+) --( \(delete\))?$")
HEADER = re.compile(r"^([a-z][a-z -]*): ?(.*)$")
REPEATED = {"edit", "environment", "note"}
KNOWN = REPEATED | {
    "status", "gaps", "outcomes", "notes", "swift test", "arguments", "run", "reports", "engine", "deadline",
    "settings", "silence", "today status", "today gaps", "today outcomes",
}


class Malformed(Exception):
    pass


@dataclasses.dataclass
class Case:
    name: str
    group: str
    title: str
    headers: dict
    files: dict

    def one(self, name: str, default=None):
        return self.headers.get(name, default)

    def all(self, name: str) -> list:
        return self.headers.get(name, [])

    def expected(self, name: str):
        """The expected value of a name; the value of today if the case waits for a feature."""
        return self.one(("today " if "today status" in self.headers else "") + name)

    def differences(self, found: dict, notes: set) -> list:
        """The differences between what Kanmon said and what the case expects, in words."""
        told = []
        if str(found["status"]) not in self.expected("status").split(" or "):
            told.append(f"status: {found['status']}, not {self.expected('status')}")
        gaps = words(self.expected("gaps") or "")
        chance = {code.rstrip("?") for code in gaps if code.endswith("?")}
        wanted = {code for code in gaps if not code.endswith("?")}
        if set(found["gaps"]) - chance != wanted:
            told.append(f"gaps: {found['gaps']}, not {gaps}")
        outcomes = self.expected("outcomes")
        if outcomes is not None and found.get("outcomes") != counts(outcomes):
            told.append(f"outcomes: {found.get('outcomes')}, not {counts(outcomes)}")
        if missing := set(words(self.one("notes", ""))) - notes:
            told.append(f"without the notes {', '.join(sorted(missing))}")
        return told


def tell(differences: list, result) -> None:
    """Prints the differences, indented, then Kanmon's gaps and notes, or its last lines if it left no report."""
    for line in differences:
        print(f"       {line}")
    if differences and result.report is None:
        print("       " + "\n       ".join(result.output.splitlines()[-12:]))
    elif differences:
        for gap in result.report["gaps"] + result.report["notes"]:
            print(f"       {gap['code']}: {gap.get('subject', '')}: {gap.get('detail', '')}"[:300])


def words(text: str) -> list:
    return sorted(text.replace(",", " ").split())


def counts(text: str) -> dict:
    """`2 passed, 1 not-run` as a dictionary."""
    pairs = (part.split() for part in text.split(",") if part.strip())
    return {name: int(number) for number, name in pairs}


def read(path: pathlib.Path) -> Case:
    lines = path.read_text().split("\n")
    headers: dict = {}
    files: dict = {}
    section = None
    for number, line in enumerate(lines[1:], 2):
        if match := SECTION.match(line):
            section = match[1]
            files[section] = None if match[2] else []
        elif section is not None:
            if files[section] is not None:
                files[section].append(line)
        elif match := HEADER.match(line):
            name, value = match[1], match[2]
            if name not in KNOWN:
                raise Malformed(f"{path}:{number}: '{name}' is not a known header")
            if name in REPEATED:
                headers.setdefault(name, []).append(value)
            elif name in headers:
                raise Malformed(f"{path}:{number}: '{name}' appears twice")
            else:
                headers[name] = value
        elif line.strip():
            raise Malformed(f"{path}:{number}: neither a header nor a section")
    if "status" not in headers:
        raise Malformed(f"{path}: the header 'status' is missing")
    texts = {name: None if body is None else "\n".join(body) for name, body in files.items()}
    return Case(path.stem, path.parent.name, lines[0].rstrip("."), headers, texts)


def load(groups: list, only: list = [], sample: int = 0, seed: int = 1) -> list:
    """The cases of some groups by name; `only` those named, or a seeded sample of them."""
    cases = [read(path) for group in groups for path in sorted((SUITE / group).glob("*.txt"))]
    if unknown := set(only) - {case.name for case in cases}:
        raise SystemExit(f"there is no case named {', '.join(sorted(unknown))}")
    if only:
        cases = [case for case in cases if case.name in only]
    if 0 < sample < len(cases):
        chosen = random.Random(seed).sample(range(len(cases)), sample)
        cases = [cases[index] for index in sorted(chosen)]
    return cases
