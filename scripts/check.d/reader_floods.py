"""Reports, run directories and settings at and beyond the limits of their readers, and how much memory Kanmon takes for each.

Every case is generated, ingested and deleted, one after the other: the largest have 512 MiB.
"""

import hashlib
import json
import os
import pathlib
import subprocess

MEMORY = 256 << 20
# 0, 1 and 4 are verdicts; 65 refuses the input, and 78 settings.
STATUSES = (0, 1, 4, 5, 65, 78)
RUN = "019b7c00-0000-7000-8000-0000000be7c4"


class Sink:
    """Writes a file of at most 512 MiB, and knows its size and digest."""

    LIMIT = (512 << 20) - (1 << 20)

    def __init__(self, path: pathlib.Path):
        self.file, self.hash, self.size = open(path, "wb"), hashlib.sha256(), 0

    def add(self, text: str) -> bool:
        """Whether there is space left."""
        data = text.encode()
        self.file.write(data)
        self.hash.update(data)
        self.size += len(data)
        return self.size < self.LIMIT

    def many(self, count: int, each) -> None:
        """Writes the first `count` texts, as far as there is room.

        In pieces of 1 MiB: a process begins with the resident memory of the one that started it, so this one has to stay small.
        """
        piece, size = [], 0
        for number in range(count):
            piece.append(each(number))
            size += len(piece[-1])
            if size >= 1 << 20:
                if not self.add("".join(piece)):
                    return
                piece, size = [], 0
        self.add("".join(piece))

    def close(self) -> None:
        self.file.close()


# Reports of other runners: a writer each.

def suite(write):
    def whole(sink):
        sink.add('<testsuite name="s">\n')
        write(sink)
        sink.add("</testsuite>\n")
    return whole


def passing(count, length=0):
    filler = "n" * length
    return suite(lambda sink: sink.many(
        count, lambda n: f'<testcase classname="M.Suite{n // 100}" name="test_number_{n}{filler}" time="0.001"/>\n'))


def failing(count, text):
    return suite(lambda sink: sink.many(
        count, lambda n: f'<testcase classname="M.S" name="t{n}"><failure message="{n}">{text}</failure></testcase>\n'))


def one_case(write):
    def inside(sink):
        sink.add('<testcase classname="M.S" name="t">')
        write(sink)
        sink.add("</testcase>")
    return suite(inside)


def giant(element):
    def write(sink):
        sink.add(f"<{element}>")
        while sink.add("x" * (1 << 20)) and sink.size < 450 << 20:
            pass
        sink.add(f"</{element}>")
    return one_case(write)


def comment(opening, ending, filler="c"):
    def write(sink):
        sink.add(opening)
        while sink.add(filler * (1 << 20)) and sink.size < 450 << 20:
            pass
        sink.add(f'{ending}<testsuite><testcase name="t"/></testsuite>')
    return write


def outputs(count, size):
    text = "o" * size
    return suite(lambda sink: sink.many(
        count, lambda n: f'<testcase classname="M.S" name="t{n}"><system-out>{n}{text}</system-out></testcase>\n'))


def unescaped(count):
    def write(sink):
        sink.add(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="TestResults" errors="0" tests="{count}" '
                 'failures="0" skipped="0" time="1">\n')
        sink.many(count, lambda n: f'<testcase classname="M.S" name="a < {n} & "b"" time="0.001" />\n')
        sink.add("</testsuite>\n</testsuites>\n")
    return write


PLACE = '"sourceLocation":{"filePath":"/p/Tests/F.swift","column":1,"line":7}'


def event(kind, instant, test, more=""):
    return (f'{{"kind":"event","payload":{{"instant":{{"absolute":{instant}}},"kind":"{kind}","messages":[],'
            f'"testID":"{test}"{more}}},"version":"6.3.0"}}\n')


def function(test, more=""):
    return (f'{{"kind":"test","payload":{{"id":"{test}","isParameterized":false,"kind":"function","name":"f()",{PLACE}{more}}},'
            '"version":"6.3.0"}\n')


def events(write):
    def whole(sink):
        sink.add('{"kind":"event","payload":{"instant":{"absolute":1},"kind":"runStarted","messages":[]},"version":"6.3.0"}\n')
        write(sink)
        sink.add('{"kind":"event","payload":{"instant":{"absolute":9},"kind":"runEnded","messages":[]},"version":"6.3.0"}\n')
    return whole


def functions(count):
    def each(n):
        name = f"M.Suite{n // 100}/number{n}()/File{n // 1000}.swift:{n % 1000}:4"
        return function(name) + event("testStarted", 2, name) + event("testEnded", 3, name)
    return events(lambda sink: sink.many(count, each))


def arguments(count):
    def write(sink):
        name = "M.S/f(_:)/F.swift:1:1"
        sink.add(f'{{"kind":"test","payload":{{"id":"{name}","isParameterized":true,"kind":"function","name":"f(_:)",{PLACE}}},'
                 '"version":"6.3.0"}\n' + event("testStarted", 2, name))
        sink.many(count, lambda n: event(
            "testCaseStarted", 2, name, f',"_testCase":{{"id":"{n}","displayName":"argument {n}"}}'))
        sink.add(event("testEnded", 3, name))
    return events(write)


def issues(count, text):
    def write(sink):
        name = "M.S/f()/F.swift:1:1"
        sink.add(function(name) + event("testStarted", 2, name))
        sink.many(count, lambda n: (
            f'{{"kind":"event","payload":{{"instant":{{"absolute":2}},"issue":{{"isKnown":false,{PLACE}}},"kind":"issueRecorded",'
            f'"messages":[{{"symbol":"fail","text":"{n} {text}"}}],"testID":"{name}"}},"version":"6.3.0"}}\n'))
        sink.add(event("testEnded", 3, name))
    return events(write)


def event_line(sink):
    sink.add('{"kind":"event","payload":{"instant":{"absolute":1},"kind":"runStarted","messages":[{"text":"')
    while sink.add("x" * (1 << 20)) and sink.size < 450 << 20:
        pass
    sink.add('"}]},"version":"6.3.0"}\n')


SUMMARY = '"summary":{"functions":{"count":1,"covered":1},"regions":{"count":1,"covered":1}}'


def export(files, functions=None):
    def whole(sink):
        sink.add('{"data":[{"files":[')
        files(sink)
        sink.add('],"functions":[')
        if functions:
            functions(sink)
        sink.add(']}],"type":"llvm.coverage.json.export","version":"3.0.1"}')
    return whole


def export_file(n, segments="[1,1,1,true,true,false],[2,1,0,false,false,false]"):
    return f'{"," if n else ""}{{"filename":"/p/Sources/M/File{n}.swift","segments":[{segments}],{SUMMARY}}}'


def export_functions(count, regions=1):
    text = ",".join(f"[{line + 1},1,{line + 1},9,1,0,0,0]" for line in range(regions))

    def each(n):
        return (f'{"," if n else ""}{{"name":"$s1M{n}functionNumber{n}yyF","count":1,"filenames":["/p/Sources/M/File0.swift"],'
                f'"regions":[{text}]}}')
    return export(lambda sink: sink.add(export_file(0)), lambda sink: sink.many(count, each))


def export_lines(files, lines):
    segments = f"[1,1,1,true,true,false],[{lines},1,0,false,false,false]"
    return export(lambda sink: sink.many(files, lambda n: export_file(n, segments)))


def export_parts(files, lines):
    def write(sink):
        segments = ",".join(f"[{n + 1},1,1,true,true,false],[{n + 1},9,0,true,true,false]" for n in range(lines))
        for n in range(files):
            sink.add(export_file(n, segments))
    return export(write)


def filler(text):
    def write(sink):
        sink.add('{"data":[{"files":[],"totals":' + ("[1" if text.strip() else ""))
        while sink.add(text * ((1 << 20) // len(text))) and sink.size < 450 << 20:
            pass
        sink.add(("]" if text.strip() else "0") + '}],"type":"llvm.coverage.json.export","version":"3.0.1"}')
    return write


def export_name(sink):
    sink.add('{"data":[{"files":[{"filename":"/')
    while sink.add("f" * (1 << 20)) and sink.size < 450 << 20:
        pass
    sink.add(f'","segments":[],{SUMMARY}}}]}}],"type":"llvm.coverage.json.export","version":"3.0.1"}}')


def cobertura(files, lines):
    def whole(sink):
        sink.add('<coverage><packages><package name="p"><classes>')
        text = "".join(f'<line number="{n + 1}" hits="1"/>' for n in range(lines))
        for n in range(files):
            if not sink.add(f'<class filename="Sources/F{n}.swift"><lines>{text}</lines></class>'):
                break
        sink.add("</classes></package></packages></coverage>")
    return whole


def cobertura_source(sink):
    sink.add("<coverage><sources><source>")
    while sink.add("/s" * (1 << 19)) and sink.size < 450 << 20:
        pass
    sink.add("</source></sources><packages></packages></coverage>")


def lcov(files, lines):
    text = "".join(f"DA:{n + 1},1\n" for n in range(lines))
    return lambda sink: sink.many(files, lambda n: f"SF:/p/F{n}.swift\n{text}end_of_record\n")


def lcov_functions(count):
    def write(sink):
        sink.add("SF:/p/F.swift\n")
        sink.many(count, lambda n: f"FN:1,function_with_a_long_name_{n:060}\n")
        sink.add("DA:1,1\nend_of_record\n")
    return write


def lcov_line(sink):
    sink.add("SF:/p/F.swift\nDA:1,1\nFN:1,")
    while sink.add("f" * (1 << 20)) and sink.size < 450 << 20:
        pass
    sink.add("\nend_of_record\n")


REPORTS = {
    "xunit, 250,000 cases": passing(250_000),
    "xunit, 500,000 cases": passing(500_000),
    "xunit, 1,000,000 cases": passing(1_000_000),
    "xunit, 2,000,000 cases": passing(2_000_000),
    "xunit, names of 1,024 bytes": passing(490_000, 1_000),
    "xunit, 59 MB of failures": failing(500_000, "the expectation of this test failed"),
    "xunit, failures of 1,000 bytes": failing(400_000, "f" * 1_000),
    "xunit, failures of 100 kB": failing(4_000, "f" * 100_000),
    "xunit, one failure of 450 MB": giant("failure"),
    "xunit, one output of 450 MB": giant("system-out"),
    "xunit, a comment of 450 MB": comment("<!--", "-->"),
    "xunit, a declaration of 450 MB": comment("<!DOCTYPE t '", "'>"),
    "xunit, white space of 450 MB": comment("", "", " "),
    "xunit, names of elements": suite(lambda sink: sink.many(40_000_000, lambda n: f"<e{n}/>")),
    "xunit, outputs of 100 kB": outputs(4_000, 100_000),
    "xunit, outputs of 300 bytes": outputs(450_000, 300),
    "xunit, skips of 100 kB": suite(lambda sink: sink.many(
        4_000, lambda n: f'<testcase classname="M.S" name="t{n}"><skipped>{"s" * 100_000}</skipped></testcase>\n')),
    "xunit, one case of 2,000,000 failures": one_case(lambda sink: sink.many(
        2_000_000, lambda n: f'<failure message="failure number {n}"/>')),
    "xunit, one case of 2,000,000 reruns": one_case(lambda sink: sink.many(
        2_000_000, lambda n: f'<flakyFailure message="failure number {n}"/>')),
    "xunit, 2,000,000 contradictions": suite(lambda sink: sink.many(
        2_000_000, lambda n: f'<testsuite name="a suite with number {n}" tests="1"/>')),
    "xunit, 2,000,000 failures of suites": suite(lambda sink: sink.many(
        2_000_000, lambda n: f'<failure message="a failure with number {n}"/>')),
    "xunit, names that are not escaped": unescaped(4_000_000),
    "events, 100,000 tests": functions(100_000),
    "events, 250,000 tests": functions(250_000),
    "events, 1,000,000 tests": functions(1_000_000),
    "events, 500,000 arguments": arguments(500_000),
    "events, 2,000,000 arguments": arguments(2_000_000),
    "events, 2,000,000 issues": issues(2_000_000, "failed"),
    "events, issues of 100 kB": issues(4_000, "f" * 100_000),
    "events, one line of 450 MB": event_line,
    "llvm-cov, 2,000,000 functions": export_functions(2_000_000),
    "llvm-cov, 15,000,000 regions": export_functions(10_000, 1_500),
    "llvm-cov, 8,000,000 lines of 4 files": export_lines(4, 1_999_999),
    "llvm-cov, 8,000,000 lines of 40,000 files": export_lines(40_000, 200),
    "llvm-cov, 7,000,000 parts": export_parts(700, 9_900),
    "llvm-cov, 450 MB of white space": filler(" "),
    "llvm-cov, 450 MB of what is passed over": filler(",1"),
    "llvm-cov, a path of 450 MB": export_name,
    "cobertura, 8,000,000 lines": cobertura(4_000, 2_000),
    "cobertura, 8,000,000 lines of few files": cobertura(40, 200_000),
    "cobertura, a source of 450 MB": cobertura_source,
    "lcov, 8,000,000 lines": lcov(40_000, 200),
    "lcov, 2,000,000 functions": lcov_functions(2_000_000),
    "lcov, one line of 450 MB": lcov_line,
}


# Run directories: artifacts by their role, and what else the manifest says.

def xctest_list(count):
    def write(sink):
        sink.add('{"tests":[{"name":"M","tests":[{"name":"M.SuiteOfTests","tests":[{"name":"testFirst"}')
        sink.many(count, lambda n: f',{{"name":"test_number_{n}"}}')
        sink.add(']}]}],"name":"all"}\n')
    return write


def observer(count, failures=0, text=""):
    def each(n):
        name = f'"cls":"M.SuiteOfTests","name":"test_number_{n}"'
        failed = "".join(f'{{"ev":"fail","t":1,{name},"desc":"{text}{f}","file":"/p/F.swift","line":3}}\n' for f in range(failures))
        return (f'{{"ev":"start","t":1,{name}}}\n{failed}'
                f'{{"ev":"end","t":2,{name},"dur":0.5,"skipped":false,"failures":{failures},"unexpected":0}}\n')

    def write(sink):
        sink.add('{"ev":"bundleStart","t":1}\n')
        sink.many(count, each)
        sink.add('{"ev":"bundleEnd","t":3}\n')
    return write


def console(count, output="printed"):
    def each(n):
        return (f"Test Case 'SuiteOfTests.test_number_{n}' started at 2026-01-02 03:04:05.000\n{output}\n"
                f"Test Case 'SuiteOfTests.test_number_{n}' passed (0.5 seconds)\n")
    return lambda sink: sink.many(count, each)


def lines(text, size=480 << 20):
    def write(sink):
        while sink.size < size:
            sink.add(text * max(1, (1 << 20) // len(text)))
    return write


def numbered(template, count):
    return lambda sink: sink.many(count, lambda n: template.replace("#", str(n)))


def swiftpm(count):
    def write(sink):
        sink.add('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="TestResults" errors="0" '
                 f'tests="{count}" failures="0" skipped="0" time="1">\n')
        sink.many(count, lambda n: f'<testcase classname="M.SuiteOfTests" name="test_number_{n}" time="0.5" />\n')
        sink.add("</testsuite>\n</testsuites>\n")
    return write


def own(count):
    return {"xctest-list": xctest_list(count), "observer-records": observer(count), "transcript": console(count),
            "xunit": swiftpm(count)}


def policy(excludes):
    def write(sink):
        sink.add('{"defaultFloors":{},"excludes":["a"')
        sink.many(excludes, lambda n: f',"e{n}/**"')
        sink.add('],"minimumTests":1,"modules":[],"flaky":"warn","budgets":[],"quarantine":[]}')
    return write


def comparison(ranges):
    def write(sink):
        sink.add(f'{{"base":{{"commit":"{"0" * 40}","kind":"named","name":"base"}},"changes":[],"coverage":{{"runs":["{RUN}"],'
                 '"unstable":[],"files":[{"path":"a","missed":[],"covered":[[1,1]')
        sink.many(ranges, lambda n: ",[1,1]")
        sink.add("]}]}}")
    return write


KEPT_SOURCE = '{"path":"Sources/M/File.swift","sha256":"' + "0" * 64 + '"}'
ARTIFACT = '{"role":"transcript","path":"#","bytes":1,"sha256":"' + "0" * 64 + '"}'
GAP = '{"code":"tests-not-run","subject":"#","detail":"none of them"}'


def listing(field, row, count):
    """A manifest with many rows in a list; their numbers stand in the place of `#`."""
    def write(sink, text):
        before, after = text.split(f'"{field}": []')
        sink.add(f'{before}"{field}": [')
        sink.many(count, lambda n: ("," if n else "") + row.replace("#", str(n)))
        sink.add("]" + after)
    return write


def package_name(length):
    def write(sink, text):
        before, after = text.split('"package": "p"')
        sink.add(f'{before}"package": "')
        sink.many(length >> 10, lambda n: "n" * 1024)
        sink.add('"' + after)
    return write


DIRECTORIES = {
    "run of 50,000 XCTest cases": own(50_000),
    "run of 100,000 XCTest cases": own(100_000),
    "run of 1,000,000 XCTest cases": own(1_000_000),
    "run of 100,000 Swift Testing tests": {"swift-testing-list": functions(100_000), "event-stream": functions(100_000)},
    "records of 1,000,000 failures": {"observer-records": observer(1_000, 1_000, "a failure with number ")},
    "records of failures of 100 kB": {"observer-records": observer(1_000, 4, "f" * 100_000)},
    "transcript of 3,000,000 cases": {"transcript": console(3_000_000)},
    "transcript of outputs of 100 kB": {"observer-records": observer(4_000), "transcript": console(4_000, "o" * 100_000)},
    "transcript of 480 MB in one line": {"transcript": lines("x")},
    "transcript of empty lines": {"transcript": lines("\n")},
    "transcript of crashes": {"transcript": numbered("*** Signal 11: Backtracing from 0x1234...\n*** Program crashed: number # at 0x1 ***\n", 4_000_000)},
    "transcript of frames": {"transcript": lambda sink: (
        sink.add("*** Program crashed: Bad pointer at 0x1 ***\n\nThread 0 crashed:\n\n"),
        sink.many(6_000_000, lambda n: f"{n} 0x1234 function{n}() + 4 in a at /p/Sources/F.swift:{n + 1}:3\n"))},
    "build log of empty lines": {"build-log": lines("\n")},
    "build log of one line": {"build-log": lines("/p/F.swift:1:1: error: x")},
    "build log of errors": {"build-log": numbered("/p/Sources/F.swift:#:1: error: number #\n", 9_000_000)},
    "list of 2,000,000 XCTest cases": {"xctest-list": xctest_list(2_000_000)},
    "list of 450 MB of white space": {"xctest-list": lambda sink: (sink.add('{"tests":'), lines(" ")(sink))},
    "names of 3,000,000 functions": {"function-names": numbered("$s6module#\tmodule.function with number #\n", 3_000_000)},
    "xUnit of 1,000,000 cases": {"xunit": swiftpm(1_000_000)},
    "coverage export of 2,000,000 functions": {"coverage-export": export_functions(2_000_000)},
    "policy of 90,000 excludes": {"policy": policy(90_000)},
    "policy of 15 MB": {"policy": policy(1_100_000)},
    "comparison of 390,000 ranges": {"comparison": comparison(390_000)},
    "comparison of 15 MB": {"comparison": comparison(2_500_000)},
    "comparison of 480 MB": {"comparison": lines("[")},
    "run of 50,000 XCTest cases beside a comparison": own(50_000) | {"comparison": comparison(390_000)},
    "manifest of 80,000 sources": {"": listing("sources", KEPT_SOURCE, 80_000)},
    "manifest of 15 MB of sources": {"": listing("sources", KEPT_SOURCE, (15 << 20) // len(KEPT_SOURCE))},
    "manifest of 10,000 artifacts": {"": listing("artifacts", ARTIFACT, 10_000)},
    "manifest of 16 MB of artifacts": {"": listing("artifacts", ARTIFACT, (15 << 20) // len(ARTIFACT))},
    "manifest of 10,000 gaps": {"": listing("gaps", GAP, 10_000)},
    "manifest of 200,000 gaps": {"": listing("gaps", GAP, 200_000)},
    "manifest of 15 MB of numbers": {"": listing("profiles", "1", (15 << 20) // 2)},
    "manifest, a package name of 15 MB": {"": package_name(15 << 20)},
    "manifest, a package name of 70 MB": {"": package_name(70 << 20)},
}


# Settings files, by their size in bytes.

SETTINGS = {"settings of 10 MB": 10 << 20, "settings of 2 GB": 2 << 30}


def write_settings(folder, size):
    """A file of that size: comments at its beginning, and behind them a hole."""
    (folder / "Package.swift").write_text("// swift-tools-version: 6.0\n")
    with open(folder / ".kanmon.yml", "w") as file:
        file.write("# settings\n" * 1_000)
        file.truncate(size)


def manifest(artifacts):
    return {
        "schemaVersion": 1, "kanmonVersion": "0", "runID": RUN, "project": "p", "package": "p", "packageRoot": "/p",
        "startedAt": "2026-01-02T03:04:05.000Z", "duration": 1_000_000_000, "engine": "swift-test",
        "toolchain": {"swiftVersion": "", "llvmVersion": "", "target": ""}, "arguments": [],
        "steps": [{"kind": "test", "arguments": ["swift", "test"], "duration": 1, "termination": {"exited": 0}, "wasTimedOut": False}],
        "modules": [], "modulesWithoutObjects": [], "withheldEnvironment": [], "profiles": [], "gaps": [], "notes": [],
        "artifacts": artifacts, "sources": []}


def lay_out(folder: pathlib.Path, parts: dict) -> pathlib.Path:
    folder.mkdir()
    artifacts = []
    for role, write in parts.items():
        if not role:
            continue
        sink = Sink(folder / role)
        write(sink)
        sink.close()
        artifacts.append({"role": role, "path": role, "bytes": sink.size, "sha256": sink.hash.hexdigest()})
    sink = Sink(folder / "manifest.json")
    write = parts.get("", Sink.add)
    write(sink, json.dumps(manifest(artifacts)))
    sink.close()
    return folder


def measured(command: list, folder: pathlib.Path) -> tuple:
    """Exit status, highest resident memory in bytes, and the last output."""
    with open(folder / "said", "wb") as said:
        process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=said,
            env={"HOME": str(folder), "PATH": os.environ["PATH"]})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with open(folder / "said", "rb") as said:
        said.seek(max(0, (folder / "said").stat().st_size - 2000))
        text = said.read().decode(errors="replace")
    return process.returncode, usage.ru_maxrss << 10, text


def check(binary: str, folder: pathlib.Path, only: list, verbose: bool) -> int:
    """Prints a line for each case; returns how many took too much memory or ended wrongly."""
    wrong = 0
    print("| reader | file | Kanmon's memory | exit status | time |")
    print("|-|-|-|-|-|", flush=True)
    for name, content in [*REPORTS.items(), *DIRECTORIES.items(), *SETTINGS.items()]:
        if only and not any(word in name for word in only):
            continue
        work = folder / "readers"
        work.mkdir()
        if name in REPORTS:
            sink = Sink(work / "report")
            content(sink)
            sink.close()
            size, arguments = sink.size, ["ingest", str(work / "report"), "--project", "p"]
        elif name in DIRECTORIES:
            place = lay_out(work / RUN, content)
            size, arguments = sum(path.stat().st_size for path in place.iterdir()), ["ingest", str(place)]
        else:
            write_settings(work, content)
            size, arguments = content, ["config", "show"]
        begin = os.times().elapsed
        status, memory, said = measured([binary, *arguments, "--home", str(work / "home")], work)
        elapsed = os.times().elapsed - begin
        print(f"| {name} | {size / 1e6:.0f} MB | {memory / (1 << 20):.0f} MiB | {status} | {elapsed:.1f} s |", flush=True)
        told = [f"more than {MEMORY >> 20} MiB"] * (memory > MEMORY) + [f"exit status {status}"] * (status not in STATUSES)
        if told:
            wrong += 1
            print("  WRONG: " + "; ".join(told))
        if verbose or status not in STATUSES:
            print("  " + said[-400:].strip().replace("\n", "\n  "), flush=True)
        subprocess.run(["rm", "-rf", str(work)], check=True)
    return wrong
