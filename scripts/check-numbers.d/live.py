"""Runs in progress: what pages tell of them, made of their progress files and of the durations that the store has.

How they tell it is written again from docs/dashboard.md. No number comes from a page.
"""

import told
import words
from progress import Live
from words import counted

# So many full runs say how long one takes.
MOST = 5
# So many lines of a log are shown.
LINES = 400


def elapsed(page, run: Live) -> int:
    return int(page.now - run.began_at // 1_000_000_000)


def usual(store, run: Live) -> tuple | None:
    """How long it should take and of how many runs that is the median: the last full ones on the machine of the newest run.

    `None` where they do not agree, as more than half of them, and at least two, are to be within a quarter of the median.
    """
    full = [each for each in store.of_project(run.project) if not each.is_partial and each.decision != "undecided" and each.status != 3]
    last = sorted(each.duration for each in [each for each in full if each.columns["machine"] == full[0].columns["machine"]][:MOST])
    if run.is_partial or not last:
        return None
    median = last[(len(last) - 1) // 2]
    near = sum(median * 3 <= each * 4 <= median * 5 for each in last)
    return (median, len(last)) if near >= 2 and near * 2 > len(last) else None


def time(seconds: int) -> str:
    """Whole seconds: `41 s`, `12 min 5 s`, `1 h 4 min`."""
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min" + (f" {seconds % 60} s" if seconds % 60 else "")
    return f"{seconds // 3600:,} h {seconds % 3600 // 60} min"


def left(page, store, run: Live) -> tuple | None:
    """The seconds that are left, those that it should take, and of how many runs that is known."""
    known = usual(store, run)
    return known and (known[0] // 1_000_000_000 - elapsed(page, run), known[0] // 1_000_000_000, known[1])


def prospect(page, store, run: Live) -> str:
    """How much longer it takes, and by what that is said."""
    known = left(page, store, run)
    if known is None:
        return ("This is a partial run; how long it takes is unknown." if run.is_partial
                else "How long it takes is unknown: no full run on this class of machine is stored.")
    rest, whole, count = known
    basis = (f"the last full run took {time(whole)}" if count == 1
             else f"the median of the last {counted(count, 'full run')} is {time(whole)}")
    return f"About {time(rest)} left: {basis}." if rest > 0 else f"Longer than usual by {time(-rest)}: {basis}."


def permille(page, store, run: Live) -> int:
    """How far it is: by the time that runs take, or else by what its step is made of."""
    known = left(page, store, run)
    if known and known[1]:
        return min(990, elapsed(page, run) * 1000 // known[1])
    done, of_all = {"build": (run.built, run.to_build), "test": (run.ended, run.found)}.get(run.step, (0, 0))
    return min(990, done * 1000 // of_all) if of_all else 0


# --- Pages --------------------------------------------------------------------------------------------------------------------

def table(page, store, runs: list, shows_project: bool) -> None:
    """Expects the list of the runs in progress."""
    found = page.table_below("Running now")
    page.equal(found is not None, bool(runs), "whether something is said to run")
    expected = []
    for run in runs:
        known = left(page, store, run)
        subject, branch, commit = run.revision.get("subject"), run.revision.get("branch"), run.revision.get("commit", "")[:8]
        names = [run.project, " · ".join(part for part in (subject, branch, commit) if part)] if shows_project else [
            subject, " · ".join(part for part in (branch, commit) if part)]
        remaining = ("not known " + ("partial run" if run.is_partial else "no full run yet") if known is None else
                     (f"about {time(known[0])}" if known[0] > 0 else f"over by {time(-known[0])}") + f" usually {time(known[1])}")
        expected.append([f"▸ {run.headline}", " ".join(names), None, remaining, None])
    if found is None:
        return
    page.compare_rows(found, expected, "the runs in progress")
    for cells, run in zip(page.rows(found), runs):
        page.equal([cells[0].href, cells[1].href], [run.address] * 2, f"where the run {run.short} in progress is")
        bar(page, cells[2], permille(page, store, run), run)
        told.moment(page, cells[4], run, f"the run {run.short} in progress")


def bar(page, cell, thousandths: int, run: Live) -> None:
    """Expects what is spoken of a bar of progress, and what is drawn of it."""
    page.speaks(cell.one("svg"), "aria-label", f"about {thousandths // 10} % done", f"the bar of run {run.short}")
    page.equal([part.attributes.get("width") for part in cell.all("rect")], [f"{thousandths}", f"{1000 - thousandths}"],
               f"what is drawn of run {run.short}")


def its_page(page, store) -> None:
    """The page of a run in progress."""
    run = next(each for each in store.live if each.id == page.path.split("/")[2])
    main, known = page.main, left(page, store, run)
    page.says(main.one("h1"), f"▸ {run.headline}", "how far it is")
    page.says(page.root.one("title"), f"▸ {run.headline}: {run.project} · Kanmon", "the title")
    page.says(main.one("p", "by"), prospect(page, store, run), "the time left")
    page.equal(main.one("progress").attributes.get("value"), f"{permille(page, store, run)}", "what is drawn of it")
    time_left = "" if known is None else f" about {time(known[0])} left" if known[0] > 0 else " longer than usual"
    figures = [f"Build {run.built:,} of {run.to_build:,} steps" if run.to_build else "Build –",
               f"Tests {run.ended:,} of {max(run.found, run.ended):,} {run.running or ''}", f"Failed {run.failed:,} so far",
               f"Time {time(elapsed(page, run))}{time_left}"]
    tiles = main.all("div", "tile")
    page.equal(len(tiles), len(figures), "how many figures it has")
    for tile, text in zip(tiles, figures):
        page.says(tile, text, f"the figure {text.split()[0]}")
    failures = main.one("ul", "plain-list").all("li")
    page.equal(len(failures), min(50, run.failed), "how many tests failed so far")
    for item, name in zip(failures, run.failures):
        page.says(item, name, "a test that failed")
    for crumb in page.root.all("span", "here"):
        page.says(crumb, f"run {run.short}", "whose page it is")
    head = main.one("p", "revision")
    told.moment(page, head, run, "the run in progress")
    page.says(head.one("code"), run.revision["commit"][:8], "its commit")
    page.says(main.one("pre").one("code"), " ".join(run.log[-LINES:]), "the end of its log")


def answer(page, store, run: Live) -> dict:
    """What data says of a run in progress."""
    known, revision = usual(store, run), run.revision
    begun = words.exact(run.began_at).replace(" UTC", "Z").replace(" ", "T")
    found = {"id": run.id, "project": run.project, "commit": revision.get("commit"), "branch": revision.get("branch"),
             "subject": revision.get("subject"), "startedAt": begun, "status": "running", "isPartial": run.is_partial,
             "isExact": bool(revision.get("tree")) and not revision.get("isDirty"), "step": run.step,
             "build": {"done": run.built, "total": run.to_build}, "tests": {"done": run.ended, "total": run.found},
             "failed": run.failed, "failures": run.failures, "running": run.running,
             "elapsedNanoseconds": elapsed(page, run) * 1_000_000_000, "expectedNanoseconds": known and known[0]}
    return {name: value for name, value in found.items() if value is not None}
