"""Why tests failed: what stored runs say of the base, and what was seen where somebody looked for the causes."""

import math

import flakes
import words
from entries import EXECUTED
from stored import Run

# The classes in the order in which they are counted: what one test of each is said to be, and several.
KINDS = {
    "yours": ("is yours", "are yours"), "already-broken": ("was broken before this change", "were broken before this change"),
    "flaky": ("is flaky", "are flaky"), "environment": ("fails by the environment", "fail by the environment"),
    "order": ("depends on the order", "depend on the order"), "not-reached": ("is not reached by the change", "are not reached by the change"),
    "new": ("is new", "are new"), "unknown": ("", ""),
}


def origin(it: Run, result) -> str | None:
    """What a failed test did on the base, where that says it all: it failed there, since some run, or it passed; `None` otherwise."""
    base = it.store.by_id.get((it.verdict.body.get("change") or {}).get("baseRun"))
    before = base and base.result(result.test)
    if not before or before.outcome not in EXECUTED:
        return None
    if not before.is_failure:
        # The same sources may have disagreed with themselves: then it is called flaky.
        return None if flips(it, result) else "New: it passed on the base."
    since = red_since(it, result, base)
    return since and f"Red on the base already, {since_words(*since)}."


def red_since(it: Run, result, base: Run) -> tuple | None:
    """Of a test that the base fails the first run that did, and whether it is known that it passed before; `None` where it is flaky."""
    if base.tree_id and flips(it, result, base.tree_id):
        return None
    earlier = [run for run in it.store.of_project(it.project) if run.is_exact and not run.is_partial and run.branch == base.branch
               and run.started_at <= base.started_at]
    first = base
    for run in earlier:
        found = run.result(result.test)
        if found is None or found.outcome not in EXECUTED:
            continue
        if not found.is_failure:
            return first, True
        first = run
    return first, False


def since_words(first: Run, is_first: bool) -> str:
    return (f"{'since' if is_first else 'at least since'} run {first.short} (commit {first.commit_id[:12]} by {first.author}, "
            f"{words.exact(first.began_at)[:10]})")


def flips(it: Run, result, tree: str | None = None) -> bool:
    """Whether runs of some one tree, or of this one, disagree on a test, up to this run."""
    ends: dict = {it.tree_id: {True}}
    for run in it.store.of_project(it.project):
        found = run.result(result.test) if run.is_exact and not run.is_partial and run.started_at < it.started_at else None
        if found and found.outcome in EXECUTED and run.tree_id:
            ends.setdefault(run.tree_id, set()).add(found.is_failure)
    return any(len(kinds) == 2 for each, kinds in ends.items() if tree in (None, each))


# --- Causes -------------------------------------------------------------------------------------------------------------------

def causes(it: Run) -> list:
    """The failed tests of a run with their causes; none where nobody looked."""
    entries = (it.verdict.body.get("causes") or {}).get("entries", [])
    known = {(entry["test"]["module"], entry["test"]["suite"], entry["test"]["name"]): entry for entry in entries}
    failed = [(result, known.get((result.test.module, result.test.suite, result.test.name))) for result in it.results if result.is_failure]
    return [(result, cause) for result, cause in failed if cause]


def counts(tally: dict) -> tuple:
    """How often a test failed, and how often it came to an end."""
    failures = tally["failed"] + tally["crashed"] + tally["timedOut"]
    return failures, failures + tally["passed"]


def fraction(*tallies: dict) -> str:
    failures, count = (sum(each) for each in zip(*map(counts, tallies)))
    return f"{failures} of {count}"


def rate(*tallies: dict) -> str:
    failures, count = (sum(each) for each in zip(*map(counts, tallies)))
    low, high = flakes.wilson(failures, count)
    return f"{failures} of {count} times ({math.floor(low * 100)} to {math.ceil(high * 100)} %)"


def sentence(it: Run, result, cause: dict) -> str:
    """The class of a failure with its proof, as far as the demo has it."""
    alone, company, base = cause["alone"], cause["company"], cause["base"]
    executed = f"; it executes {', '.join(cause['functions'])}, which changed" if cause["functions"] else ""
    stored = it.store.by_id[cause["storedRun"]].short if cause.get("storedRun") else "?"
    on_base = f"on the base {fraction(base)}"
    kind = cause["kind"]
    if kind == "yours":
        return f"Yours: it fails here {fraction(alone, company)} times, and {on_base}{executed}."
    if kind == "already-broken":
        since = red_since(it, result, it.store.by_id[it.verdict.body["change"]["baseRun"]])
        return (f"Broken before this change: it fails on the base in the same way, {fraction(base)} times"
                + (f", {since_words(*since)}" if since else "") + ".")
    if kind == "flaky":
        return f"Flaky: repeated here it fails {rate(alone, company)}, {on_base}."
    if kind == "environment":
        return (f"The environment: it fails on the base now, {fraction(base)} times and in the same way, and run {stored} of the same sources "
                f"passed it with other variables: {', '.join(cause['variables'])}. These are why, or the machine, the clock, the network or a "
                "service.")
    if kind == "order":
        fellows = ", ".join(f"{each['module']}.{each['suite']}/{each['name']}" for each in cause["fellows"])
        return f"The order: alone it passes {alone['passed']} of {counts(alone)[1]} times, in the company of {fellows} it fails."
    if kind == "not-reached":
        return (f"Not reached: it fails here {fraction(alone, company)} times and {on_base}, though nobody executes the change. Something "
                "besides the sources differs: a file, a variable, what was built.")
    if kind == "new":
        return f"New: the base has no such test{executed}."
    return (f"Unknown why: repeated here it fails {rate(alone, company)}, {on_base}. That is too few to tell; a larger causes.budget would.")


def in_short(it: Run) -> str:
    """How many failures have which cause, in one sentence."""
    found, parts = causes(it), []
    for kind, verbs in KINDS.items():
        some = [(result, cause) for result, cause in found if cause["kind"] == kind]
        if not some:
            continue
        more = ""
        if kind == "yours" and (names := list(dict.fromkeys(name for _, cause in some for name in cause["functions"]))):
            more = f" ({', '.join(names)})"
        elif kind == "already-broken":
            base = it.store.by_id[it.verdict.body["change"]["baseRun"]]
            commits = {since and since[0].commit_id[:12] for since in (red_since(it, result, base) for result, _ in some)}
            more = f", since {commits.pop()}" if len(commits) == 1 and None not in commits else ""
        elif kind == "flaky" and len(some) == 1:
            more = f" ({fraction(some[0][1]['alone'], some[0][1]['company'])})"
        parts.append(f"of {len(some)} nobody can say why" if kind == "unknown" else f"{len(some)} {verbs[len(some) > 1]}{more}")
    return f"{len(found)} failed: {', '.join(parts)}."
