"""What the rules of the pages of a run have in common."""

import re

import words
from stored import Run, Store
from words import counted


def of(page, store: Store) -> Run:
    return store.told(page.path.split("/")[2], page.query.get("commit"))


def state(module) -> str:
    """How a module stands: not measurable, not recorded, under a floor, at its floors, or without one."""
    if module.unmeasurable is not None:
        return "not measurable"
    if not module.lines[1]:
        return "not recorded"
    return "under" if module.is_under_any else "reached" if module.floors else "not judged"


def excluded(run: Run, path: str) -> bool:
    patterns = [status["exclusion"]["path"] for status in run.verdict.body["exclusions"]]
    return any(re.fullmatch(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"), path) for pattern in patterns)


def total(files: list) -> tuple:
    return sum(file.tally[0] for file in files), sum(file.tally[1] for file in files)


def section(page, title: str):
    return next((each for each in page.main.all("section") if each.one("h2") and each.one("h2").words == title), None)


def source_lines(it: Run, path: str) -> list | None:
    digest = next((source["sha256"] for source in it.manifest.get("sources", []) if source["path"] == path), None)
    return (it.manifest["folder"] / "sources" / digest).read_text().split("\n") if digest else None


def missed_lines(page, cell, file, most: int) -> None:
    ranges = file.missed_ranges
    text = " ".join(words.lines(*each) for each in ranges[:most])
    if len(ranges) > most:
        text += f" {counted(len(ranges) - most, 'more range')}"
    page.equal(re.sub(r"^none missed$", "", cell.words).replace("… ", ""), text, f"the missed lines of {file.path}")
    page.explain(cell.every_text())


def tagged(result, tag: str | None) -> bool:
    if tag is None:
        return True
    tags = result.description.get("tags") or ""
    return any(f'"{each}"' in tags for each in (tag, "." + tag))


def of_id(it: Run, test: dict):
    """The result of a test that a verdict names; `None` where the run has none."""
    return next((result for result in it.results if all(getattr(result.test, part) == test.get(part, "") for part in
                                                         ("module", "suite", "name", "discriminator"))), None)
