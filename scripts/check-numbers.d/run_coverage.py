"""Pages of the coverage of a run: modules, files, lines, and who executes them."""

import re

import testmap
import told
import words
from entries import METRICS, Numbers, thousandths, unpacked
from run_parts import excluded, missed_lines, of, section, source_lines, total
from stored import Run, Store
from words import counted, duration, percent, share, tally

PLURALS = {"line": "Lines", "region": "Regions", "function": "Functions"}
_COUNTS: dict = {}


def coverage(page, store: Store) -> None:
    it, name = of(page, store), page.query.get("module")
    shown = [file for file in it.files if name is None or file.module == name]
    counting = [file for file in shown if not excluded(it, file.path)]
    gone, lines = len(shown) - len(counting), total(counting)
    page.says(page.main.one("p", "soft"), f"{percent(*lines)}: {tally(*lines)} executable lines in {counted(len(counting), 'file')}"
              + (f"; {counted(gone, 'file')} excluded." if gone else "."), "the lines of all files")
    if name:
        module = it.verdict.module(name)
        for tile, metric in zip(page.main.all("div", "tile"), METRICS):
            floor, (covered, of_all) = module.floors.get(metric), module.tallies[metric]
            short = max(0, -(-thousandths(floor) * of_all // 100_000) - covered) if floor else 0
            page.says(tile, f"{PLURALS[metric]} {share((covered, of_all))} " + (
                "no floor" if not floor else f"floor {told.floor_words(floor)}, " + ("reached" if not short else f"{short:,} short")),
                f"the {metric}s")
            page.speaks(tile.one("svg"), "aria-label", f"{percent(covered, of_all)} covered" + (f", floor {told.floor_words(floor)}"
                                                                                                if floor else ""), "a bar")
        states = [each for each in store.states(it.project, store.default_branch(it.project))[:100][::-1] if each.module(name)
                  and each.module(name).unmeasurable is None]
        floor = module.floors.get("line")
        shares = [told.share(each.module(name).lines) for each in states if each.module(name).lines[1]] + ([float(floor) / 100]
                                                                                                           if floor else [])
        told.chart(page, "Lines covered", f"over {counted(len(states), 'run')}" + (f", dashed: the floor, {told.floor_words(floor)}"
                                                                                   if floor else ""),
                   [(each.run, f"{each.run.words}: {percent(*each.module(name).lines)}") for each in states], told.percent_scale(shares))
    for cells in page.rows(page.table_below("Modules")):
        module = next(each for each in it.verdict.modules if cells[0].words.startswith(each.name))
        floor, has_lines = module.floors.get("line"), module.is_measured
        for cell, text in zip(cells[2:], (told.floor_words(floor) if floor else "–", share(module.lines) if has_lines else "–",
                                          f"{module.lines[1] - module.lines[0]:,}" if has_lines else "–")):
            page.says(cell, text, f"the module {module.name}")
        if has_lines:
            page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*module.lines)} covered" + (f", floor {told.floor_words(floor)}"
                                                                                                  if floor else ""), "a bar")
    prefix, listed = [], []
    for cells in page.rows(page.table_below("Files")):
        depth = int(next((style[6:] for style in cells[0].classes if style.startswith("depth-")), 0))
        label = cells[0].one("bdi").words
        prefix[depth:] = [label]
        path = "".join(prefix)
        if label.endswith("/"):
            lines, file = total([each for each in counting if each.path.startswith(path)]), None
        else:
            file = next(each for each in shown if each.path == path)
            lines = file.tally
        page.says(cells[2], share(lines), f"the lines of {path}")
        page.says(cells[3], f"{lines[1] - lines[0]:,}", f"the missed lines of {path}")
        page.speaks(cells[1].one("svg"), "aria-label", f"{percent(*lines)} covered", f"the bar of {path}")
        page.explain(cells[0].every_text())
        if file:
            listed.append(file.path)
            missed_lines(page, cells[4], file, 6)
    page.equal(sorted(listed), sorted(file.path for file in shown), "the files that are listed")
    for cell in page.main.all("svg", "files"):
        for link in cell.all("a"):
            file = next(each for each in counting if link.attributes["aria-label"].startswith(f"{each.path}: "))
            said = f"{file.path}: {percent(*file.tally)}, {tally(*file.tally)}"
            page.speaks(link, "aria-label", said, "a file of the map")
            page.says(link.one("title"), said, "a file of the map")
    if name:
        sole(page, store, it, name)


def sole(page, store: Store, it: Run, name: str) -> None:
    """Functions of a module that one test alone executes."""
    box = section(page, "Executed by one test only")
    if box is None or it.columns["test_map"] is None:
        return
    _, files = testmap.read(store, it)
    own = {file.path for file in it.files if file.module == name}
    alone = [(path, each) for path, all_of in files.items() if path in own for each in all_of if len(each[3][0]) == 1 and not each[3][1]]
    page.says(box.one("p", "note"), f"{counted(len(alone), 'function')}: without that test nothing would notice a fault in them.",
              "functions of one test")
    rows = page.rows(box.one("table"))
    page.equal(len(rows), min(100, len(alone)), "how many functions are listed")
    for cells in rows:
        place = cells[0].one("bdi").words
        found = next((each for path, each in alone if f"{path.rsplit('/', 1)[-1]}:{each[1]}" == place), None)
        if found is None:
            page.finding(f"{place} is executed by other tests, too")
            continue
        page.says(cells[1], f"{found[2] - found[1] + 1:,}", f"the lines of {place}")
        page.explain([text for cell in cells for text in cell.every_text()])


def source(page, store: Store) -> None:
    it, path = of(page, store), page.query["path"]
    file, lines = next((each for each in it.files if each.path == path), None), source_lines(it, path)
    if file:
        facts = page.main.one("p", "facts-line")
        for text in (f"{percent(*file.tally)} {tally(*file.tally)} executable lines",
                     f"regions {percent(*file.regions)}, {tally(*file.regions)}",
                     f"functions {percent(*file.functions)}, {tally(*file.functions)}"):
            if text not in facts.words:
                page.finding(f"{facts.words!r} does not say {text!r}")
        page.explain(facts.every_text())
        if jumps := page.main.one("nav", "jumps"):
            missed = file.tally[1] - file.tally[0]
            page.says(jumps, f"✕ {counted(missed, 'line')} missed: " + " ".join(words.lines(*each) for each in file.missed_ranges),
                      "the missed lines")
    rail = page.main.one("svg", "minimap")
    if rail and file:
        page.speaks(rail, "aria-label", f"The file from top to bottom: {counted(file.tally[1] - file.tally[0], 'missed line')}",
                    "the map of the file")
        bands(page, rail, file)
    counts: dict = {}
    if it.columns["test_map"] is not None and file:
        _, files = testmap.read(store, it)
        for _, _, _, _, parts in files.get(path, []):
            for begin, end, (rows, _) in parts:
                for line in range(begin, end + 1):
                    counts.setdefault(line, set()).update(rows)
    shown = [int(row.attributes["id"][1:]) for row in page.main.all("tr") if re.fullmatch(r"L\d+", row.attributes.get("id", ""))]
    if lines:
        page.equal(shown, list(range(1, len(lines) + (lines[-1] != ""))), "the lines that are shown")
    for row in page.main.all("tr"):
        number = int(row.attributes.get("id", "L0")[1:])
        cells = {style: cell for cell in row.all("td") for style in cell.classes}
        if not number or "code" not in cells:
            continue
        page.says(cells["no"].one("a"), f"{number}", "the number of a line")
        page.explain(cells["no"].every_text())
        code = "".join(text.words for text in cells["code"].texts() if text.parent is cells["code"] or "part" in text.parent.classes)
        page.equal(code.split(), (lines[number - 1] if lines else "").split(), f"the text of line {number}")
        page.explain(cells["code"].every_text())
        if "tests" in cells:
            page.says(cells["tests"], f"{len(counts[number]):,}" if number in counts else "", f"the tests of line {number}")
            page.explain(cells["tests"].every_text())
        covered = file.lines.get(number) if file else None
        sign = cells["count"].words
        if (covered is None) != (sign == "") or (covered is False) != (sign == "✕"):
            page.finding(f"line {number} says {sign!r}, but it is "
                         f"{'not executable' if covered is None else 'covered' if covered else 'missed'}")
        executed(page, store, it, file, number, cells["count"])


def bands(page, rail, file) -> None:
    """The bands of the map of a file: each says what its first line is, and leads there."""
    for band in rail.all("a"):
        line = int(band.href.removeprefix("#L"))
        covered, kind = file.lines.get(line), band.one("rect").classes[0]
        if kind != "changed":
            page.equal(kind, {True: "covered", False: "missed"}.get(covered), f"what the map says of line {line}")
        for said in (band.spoken[0].words, band.one("title").words):
            page.equal(said, f"{kind} from line {line:,}", f"what the map says of line {line}")
        page.explain(band.every_text())


def executed(page, store: Store, it: Run, file, number: int, cell) -> None:
    """How often a line was executed, as far as the store keeps it: for the newest run."""
    spoken = next((text for text in cell.spoken if text.attribute == "title"), None)
    known = line_counts(store, it).get(file.path, {}) if file else {}
    if number in known and known[number]:
        page.speaks(cell, "title", f"executed {counted(known[number], 'time')}" + (", in part" if spoken
                                                                                   and "in part" in spoken.words else ""), f"line {number}")
        if known[number] < 10_000:
            page.says(cell, f"{known[number]:,}", f"the executions of line {number}")
    elif cell.words[:1].isdigit():
        page.finding(f"line {number} says {cell.words!r}, but the store does not know how often it was executed")
    page.explain(cell.texts())


def line_counts(store: Store, it: Run) -> dict:
    """The executions of the lines of every file; none for a run whose counts are not kept."""
    if it.id not in _COUNTS:
        row = store.one("SELECT body FROM line_counts WHERE run = ?", it.row)
        _COUNTS[it.id] = {}
        if row:
            numbers = Numbers(unpacked(row["body"]))
            for file in it.files:
                body, values = Numbers(numbers.bytes(numbers.take())), []
                while body:
                    length = body.take()
                    values += [body.take()] * length
                _COUNTS[it.id][file.path] = dict(zip(sorted(file.lines), values))
    return _COUNTS[it.id]


def who(page, store: Store) -> None:
    it, path, line = of(page, store), page.query["path"], int(page.query["at"])
    recorded, files = testmap.read(store, it)
    around = [each for each in files[path] if each[1] <= line <= each[2]]
    tests, others = set(), False
    for each in around:
        for begin, end, (rows, also) in each[4]:
            if begin <= line <= end:
                tests |= rows
                others |= also
    page.says(page.main.one("h1"), f"{path}:{line}", "the line")
    page.says(page.main.one("p", "soft"), f"{counted(len(tests), 'test')} of the {len(recorded):,} that were recorded execute this line"
              + (", and code outside of tests." if others and tests else "."), "how many tests execute it")
    for title, rows in (("Tests", tests), ("Tests that execute the function around it", around[-1][3][0] if around else set())):
        table = page.table_below(title)
        if table is None:
            continue
        own = {store.tests[row].identity: store.tests[row] for row in rows}
        page.equal(len(page.rows(table)), len(own), f"how many tests are listed below {title}")
        for cells in page.rows(table):
            test = next((each for identity, each in own.items() if identity in cells[0].words), None)
            result = test and it.result(test)
            if result is None:
                page.finding(f"{cells[0].words!r} does not execute it")
                continue
            page.equal(cells[0].words.startswith(told.test_cell(result)), True, f"{test.identity} is called {cells[0].words!r}")
            page.explain(cells[0].every_text())
            alone = recorded.get(test)
            times = {duration(alone * 100_000)} if alone is not None else set()
            times |= {duration(result.duration)} if result.duration is not None else {"–"}
            if cells[1].words not in times:
                page.finding(f"{test.identity} takes {cells[1].words!r}, but by the store {' or '.join(sorted(times))}")
            page.explain(cells[1].every_text())
    for cells in page.rows(page.table_below("Functions around it")):
        match = [each for each in around if words.lines(each[1], each[2]) in cells[0].words]
        if not match:
            page.finding(f"no function is at {cells[0].words!r}")
            continue
        page.says(cells[1], f"{len(match[0][3][0]):,}", f"the tests of {cells[0].words}")
        page.explain(cells[0].every_text())
