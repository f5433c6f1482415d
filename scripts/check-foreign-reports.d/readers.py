"""Reads reports of other tools as plainly as possible: ElementTree, json, and lines of text."""

import collections
import json
import pathlib
import posixpath
import re
import xml.etree.ElementTree

SKIPPED = {"skipped", "skip", "disabled", "ignored", "notrun", "pending", "suppressed", "inconclusive", "untested", "todo"}
FAILED = {"failed", "fail", "failure", "error", "errored", "broken", "timeout", "crashed"}
PROBLEMS = {"failure", "error", "rerunfailure", "rerunerror", "flakyfailure", "flakyerror"}
SUITES = {"testsuites", "testsuite"}
LEFT_OUT = {"skipped", "skip", "disabled", "ignored", "pending"}
KNOWN = SUITES | PROBLEMS | LEFT_OUT | {"testcase", "properties", "property", "system-out", "system-err"}


def counted(file: pathlib.Path):
    """Tests, failed and skipped, and lines, covered and all; None for a file that is no report."""
    data = file.read_bytes()
    text = data.removeprefix(b"\xef\xbb\xbf")
    first = text.lstrip()[:1]
    if first == b"<":
        return markup(text)
    if first == b"{":
        return export(text)
    return trace(text) if first else None


def markup(data: bytes):
    head = data[:1 << 16]
    # Entities are refused, as no report needs them; and only UTF-8 is accepted.
    unquoted = re.sub(rb"\"[^\"]*\"|'[^']*'", b"", head)
    if b"<!ENTITY" in head or re.search(rb"<!DOCTYPE[^>\[]*\[[^\]]*%\w", unquoted):
        return None
    if encoding := re.match(rb"<\?xml[^>]*encoding=.([^'\"]*)", head):
        if encoding.group(1).lower() not in (b"utf-8", b"utf8", b"us-ascii", b"ascii"):
            return None
    # A name that expat does not know for the same encoding.
    data = re.sub(rb"^(<\?xml[^>]*encoding=.)utf8(?=['\"])", rb"\1utf-8", data, flags=re.IGNORECASE)
    try:
        root = xml.etree.ElementTree.fromstring(data)
    except (xml.etree.ElementTree.ParseError, ValueError, LookupError):
        return None
    kind = local(root)
    if kind in ("testsuite", "testsuites"):
        return results(root)
    return cobertura(root) if kind == "coverage" else None


def local(element) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def results(root):
    """A test for every case, but one for a case that is tried again after it failed, in the same suite."""
    cases, strays = [], set()

    def walk(element, suite, case):
        kind = local(element)
        if kind in ("testsuite", "testsuites"):
            suite, case = element, None
        elif kind == "testcase":
            case = {"suite": suite, "element": element, "kinds": set()}
            cases.append(case)
        elif case is not None:
            case["kinds"].add(kind)
        elif kind in ("failure", "error"):
            strays.add(id(suite))
        for child in element:
            walk(child, suite, case)

    walk(root, root, None)
    # Another format, whose tests would get lost.
    around = [element for element in root.iter() if local(element) in SUITES or local(element) not in KNOWN]
    if not cases and not strays and any(local(child) not in KNOWN | {""} for element in around for child in element):
        return None
    names = {}
    for parent in root.iter():
        for child in parent:
            names[child] = parent

    def module(suite):
        """The nearest suite with a name, for cases without a class."""
        while suite is not None and not suite.get("name"):
            suite = names.get(suite)
        return suite.get("name") if suite is not None else ""

    groups = collections.OrderedDict()
    for case in cases:
        element = case["element"]
        words = {(element.get(name) or "").lower().replace(" ", "") for name in ("status", "result")}
        truth = {name for name in ("skipped", "ignored", "disabled") if (element.get(name) or "").lower() == "true"}
        # Whoever was executed again and passed has flakes instead.
        is_failed = case["kinds"] & (PROBLEMS - {"flakyfailure", "flakyerror"}) or words & FAILED or element.get("failure")
        is_skipped = case["kinds"] & LEFT_OUT or words & SKIPPED or truth
        outcome = "failed" if is_failed else "skipped" if is_skipped else "passed"
        name = element.get("classname") or element.get("class") or (module(case["suite"]),)
        groups.setdefault((id(case["suite"]), name, element.get("name")), []).append(outcome)
    outcomes = []
    for group in groups.values():
        is_retried = all(outcome == "failed" for outcome in group[:-1])
        outcomes += ["failed" if "failed" in group else group[-1]] if is_retried else group
    stray_suites = len(strays)
    return {"tests": [len(outcomes) + stray_suites, outcomes.count("failed") + stray_suites, outcomes.count("skipped")]}


def number(text):
    """A count, and None for what is none."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def tallied(files):
    """Covered and all lines, over all files."""
    lines = [count for file in files.values() for count in file.values()]
    return {"lines": [sum(count > 0 for count in lines), len(lines)]} if lines else {}


def path(name: str) -> str:
    """The path of a file without `.` and `..` in it."""
    return posixpath.normpath(name) if name else name


def cobertura(root):
    if not any(local(element) == "packages" for element in root.iter()):
        return None
    files = collections.defaultdict(dict)
    left_out = 0
    named = 0
    for entry in (element for element in root.iter() if local(element) == "class"):
        own, of_methods, file = {}, {}, entry.get("filename")

        def walk(element, in_method):
            nonlocal left_out, named
            for child in element:
                if local(child) == "line":
                    named += 1
                    line, hits = child.get("number") or "", number(child.get("hits"))
                    if not re.fullmatch(r"\d+", line) or int(line) == 0 or hits is None or not file:
                        left_out += 1
                        continue
                    lines = of_methods if in_method else own
                    lines[int(line)] = max(lines.get(int(line), 0), hits)
                walk(child, in_method or local(child) == "method")

        walk(entry, False)
        # Methods tell the lines of their class again; what they alone name counts where the class names none.
        for line, hits in (own or of_methods).items():
            known = files[path(file)]
            known[line] = max(known.get(line, 0), hits)
    if left_out > sum(map(len, files.values())) or named == 0 and (number(root.get("lines-valid")) or 0) > 0:
        return None
    return tallied(files)


def trace(data: bytes):
    """LCOV."""
    files, file, keys, left_out, taken, claimed = collections.defaultdict(dict), None, 0, 0, 0, 0
    for line in data.decode(errors="replace").splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line == "end_of_record":
            if file is None or file and claimed and not files[file]:
                return None
            file, claimed = None, 0
            continue
        key, colon, value = line.partition(":")
        if not colon or not key.isupper():
            left_out += 1
            continue
        if key == "SF":
            if file is not None:
                return None
            file = path(value)
            left_out += not value
        if key == "LF":
            claimed = number(value) or 0
        if key == "DA":
            if file is None:
                return None
            parts = [part.strip() for part in value.split(",", 2)]
            count = number(parts[1]) if len(parts) > 1 else None
            if count is None or not re.fullmatch(r"\d+", parts[0]) or int(parts[0]) == 0 or not file:
                left_out += 1
                continue
            taken += 1
            files[file][int(parts[0])] = files[file].get(int(parts[0]), 0) + max(count, 0)
        keys += 1
    return None if not keys or file is not None or left_out > taken else tallied(files)


def export(data: bytes):
    """llvm-cov: the count of a line is that of the region around it, or the greatest of those that begin in it."""
    try:
        document = json.loads(data)
    except ValueError:
        return None
    if document.get("type") != "llvm.coverage.json.export" or not isinstance(document.get("data"), list):
        return None
    files = {}
    for entry in document["data"][0]["files"]:
        if "segments" not in entry:
            return None
        files[entry["filename"]] = lines_of(entry["segments"])
    return tallied(files)


def lines_of(segments):
    counts, wrapped = {}, None
    if not segments:
        return counts
    by_line = collections.defaultdict(list)
    for segment in segments:
        by_line[segment[0]].append(segment)
    for line in range(segments[0][0], segments[-1][0] + 1):
        own = by_line.get(line, [])
        # Old versions do not mark gaps.
        starts = [segment for segment in own if not (segment[5:] or [False])[0] and segment[3] and segment[4]]
        begins_skipped = bool(own) and not own[0][3] and own[0][4]
        is_mapped = not begins_skipped and (wrapped is not None and wrapped[3] or bool(starts))
        if is_mapped:
            count = wrapped[2] if wrapped is not None and wrapped[3] else 0
            counts[line] = max([count if wrapped is not None else 0] + [segment[2] for segment in starts])
        if own:
            wrapped = own[-1]
    return counts
