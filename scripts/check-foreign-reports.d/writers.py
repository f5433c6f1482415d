"""Makes up reports in the dialects of other tools, with what is in them.

Each writer takes random numbers and returns a file name, the text, and what has to be counted: tests (all, failed, skipped) or lines
(covered, all), and whether the report contradicts itself, which none of these does.
"""

from xml.sax.saxutils import quoteattr

WORDS = ["reads", "writes", "opens", "closes", "parses", "throws <T&>", "läuft", "日本", "a \"b\"", "it's", "x/y", "n=1"]


def tests(rng, kinds=("passed", "failed", "skipped"), least=1):
    """Names that differ, each with an outcome."""
    count = rng.randint(least, 12)
    outcomes = [rng.choices(kinds, [6] + [2] * (len(kinds) - 1))[0] for _ in range(count)]
    return [(f"{rng.choice(WORDS)} {number}", outcome) for number, outcome in enumerate(outcomes)]


def wanted(cases):
    outcomes = [outcome for _, outcome in cases]
    return {"tests": [len(cases), outcomes.count("failed"), outcomes.count("skipped")], "contradicts": False}


def count(cases, *kinds):
    return sum(outcome in kinds for _, outcome in cases)


def seconds(rng):
    return f"{rng.random():.{rng.randint(1, 9)}f}"


def pytest(rng):
    cases = tests(rng)
    inner = {"passed": "", "failed": '<failure message="assert 1 == 2">def test():\n&gt; assert 1 == 2</failure>',
             "skipped": '<skipped type="pytest.skip" message="no">x.py:1: no</skipped>'}
    body = "".join(f'<testcase classname="tests.test_a.TestA" name={quoteattr(name)} time="{seconds(rng)}">{inner[outcome]}'
                   f"<properties><property name=\"failure\" value=\"1\"/></properties></testcase>" for name, outcome in cases)
    return "pytest.xml", (
        f'<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" '
        f'failures="{count(cases, "failed")}" skipped="{count(cases, "skipped")}" tests="{len(cases)}" time="1.2" '
        f'timestamp="2026-01-01T00:00:00" hostname="ab12">{body}</testsuite></testsuites>'), wanted(cases)


def surefire(rng):
    cases = tests(rng, ("passed", "failed", "skipped", "flaky"))
    inner = {"passed": "", "failed": '<failure message="no" type="E"><![CDATA[E: no]]></failure><rerunFailure message="no" type="E">'
             "<stackTrace>E</stackTrace></rerunFailure>", "skipped": "<skipped/>",
             "flaky": '<flakyFailure message="once" type="E"><stackTrace><![CDATA[E]]></stackTrace><system-out>o</system-out></flakyFailure>'}
    body = "".join(f'  <testcase name={quoteattr(name)} classname="com.acme.ParserTest" time="1,{rng.randint(100, 999)}.5">'
                   f"{inner[outcome]}</testcase>\n" for name, outcome in cases)
    # Some versions count flakes among the failures.
    failures = count(cases, "failed", *(["flaky"] if rng.random() < 0.5 else []))
    return "TEST-a.xml", (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="com.acme.ParserTest" time="2" tests="{len(cases)}" errors="0" '
        f'skipped="{count(cases, "skipped")}" failures="{failures}" flakes="{count(cases, "flaky")}">\n<properties/>\n{body}</testsuite>'
    ), wanted(cases)


def gtest(rng):
    cases = tests(rng, ("passed", "failed", "skipped", "disabled"))
    status = {"passed": 'status="run" result="completed"', "failed": 'status="run" result="completed"',
              "skipped": 'status="run" result="skipped"', "disabled": 'status="notrun" result="suppressed"'}
    inner = {"failed": '<failure message="a.cc:1&#x0A;no" type=""><![CDATA[a.cc:1]]></failure>'}
    body = "".join(f'<testcase name={quoteattr(name)} file="a.cc" line="3" {status[outcome]} time="0." classname="Net">'
                   f"{inner.get(outcome, '')}</testcase>" for name, outcome in cases)
    skips = rng.choice(["", f'skipped="{count(cases, "skipped")}" '])
    counters = (f'tests="{len(cases)}" failures="{count(cases, "failed")}" disabled="{count(cases, "disabled")}" {skips}'
                'errors="0" time="0.1"')
    cases = [(name, "skipped" if outcome == "disabled" else outcome) for name, outcome in cases]
    return "gtest.xml", f'<testsuites {counters} name="AllTests"><testsuite name="Net" {counters}>{body}</testsuite></testsuites>', wanted(cases)


def ctest(rng):
    cases = tests(rng, ("passed", "failed", "skipped", "disabled"))
    lines = {"passed": 'status="run"/>', "failed": 'status="fail"><failure message=""/></testcase>', "disabled": 'status="disabled"/>',
             "skipped": 'status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>'}
    body = "".join(f"<testcase name={quoteattr(name)} classname={quoteattr(name)} time=\"0.1\" {lines[outcome]}" for name, outcome in cases)
    text = (f'<testsuite name="(empty)" tests="{len(cases)}" failures="{count(cases, "failed")}" disabled="{count(cases, "disabled")}" '
            f'skipped="{count(cases, "skipped")}" hostname="" time="1" timestamp="2026-01-01T00:00:00">{body}</testsuite>')
    return "ctest.xml", text, wanted([(name, "skipped" if outcome == "disabled" else outcome) for name, outcome in cases])


def jest(rng):
    first, second = tests(rng), tests(rng)
    def suite(name, cases):
        inner = {"passed": "", "failed": "<failure>Error: no\n at a.js:1</failure>", "skipped": "<skipped/>"}
        body = "".join(f'<testcase classname={quoteattr(name + " " + case)} name={quoteattr(case)} time="{seconds(rng)}">{inner[outcome]}'
                       "</testcase>" for case, outcome in cases)
        return (f'<testsuite name={quoteattr(name)} errors="0" failures="{count(cases, "failed")}" skipped="{count(cases, "skipped")}" '
                f'timestamp="2026-01-01T00:00:00" time="1" tests="{len(cases)}">{body}</testsuite>')
    cases = first + second
    text = (f'<testsuites name="jest tests" tests="{len(cases)}" failures="{count(cases, "failed")}" errors="0" time="1">'
            f'{suite("a", first)}{suite("b", second)}</testsuites>')
    return "junit.xml", text, wanted(cases)


def mocha(rng):
    """Pending tests are counted at the top and not written."""
    cases = tests(rng, ("passed", "failed"))
    pending = rng.randint(0, 3)
    inner = {"passed": "", "failed": '<failure message="no" type="AssertionError"><![CDATA[no]]></failure>'}
    body = "".join(f'<testcase name={quoteattr("s " + name)} time="{seconds(rng)}" classname={quoteattr(name)}>{inner[outcome]}</testcase>'
                   for name, outcome in cases)
    skipped = f' skipped="{pending}"' if pending else ""
    text = (f'<testsuites name="Mocha Tests" time="0.1" tests="{len(cases) + pending}" failures="{count(cases, "failed")}"{skipped}>'
            f'<testsuite name="Root Suite" timestamp="2026-01-01T00:00:00" tests="0" time="0" failures="0"/>'
            f'<testsuite name="s" tests="{len(cases)}" time="0.1" failures="{count(cases, "failed")}">{body}</testsuite></testsuites>')
    return "test-results.xml", text, wanted(cases)


def phpunit(rng):
    cases = tests(rng)
    inner = {"passed": "/>", "failed": '><error type="E">no</error></testcase>', "skipped": "><skipped/></testcase>"}
    body = "".join(f'<testcase name={quoteattr(name)} class="App\\FooTest" classname="App.FooTest" file="/x/FooTest.php" line="9" '
                   f'assertions="1" time="{seconds(rng)}"{inner[outcome]}' for name, outcome in cases)
    counters = (f'tests="{len(cases)}" assertions="{len(cases) * 3}" errors="{count(cases, "failed")}" failures="0" '
                f'skipped="{count(cases, "skipped")}" time="0.1"')
    text = (f'<testsuites><testsuite name="phpunit.xml" {counters}><testsuite name="unit" {counters}>'
            f'<testsuite name="App\\FooTest" {counters}>{body}</testsuite></testsuite></testsuite></testsuites>')
    return "phpunit.xml", text, wanted(cases)


def nunit(rng):
    """As the stylesheet of NUnit 3 writes it."""
    cases = tests(rng)
    inner = {"passed": 'status="Passed"/>', "failed": 'status="Failed"><failure message="no">at X</failure></testcase>',
             "skipped": 'status="Skipped"/>'}
    body = "".join(f'<testcase name={quoteattr(name)} assertions="1" time="{seconds(rng)}" classname="Acme.Tests" {inner[outcome]}'
                   for name, outcome in cases)
    return "nunit.xml", (
        f'<testsuites tests="{len(cases)}" failures="{count(cases, "failed")}" disabled="0" time="1"><testsuite '
        f'tests="{len(cases)}" time="1" errors="0" failures="{count(cases, "failed")}" skipped="{count(cases, "skipped")}" '
        f'name="Acme.Tests">{body}</testsuite></testsuites>'), wanted(cases)


def gotestsum(rng):
    cases = tests(rng)
    inner = {"passed": "", "failed": '<failure message="Failed" type="">=== RUN</failure>', "skipped": '<skipped message="=== RUN"/>'}
    body = "".join(f'<testcase classname="example.com/a/b" name={quoteattr(name)} time="{seconds(rng)}">{inner[outcome]}</testcase>'
                   for name, outcome in cases)
    text = (f'<testsuites tests="{len(cases)}" failures="{count(cases, "failed")}" errors="0" time="1"><testsuite tests="{len(cases)}" '
            f'failures="{count(cases, "failed")}" time="1" name="example.com/a/b"><properties><property name="go.version" value="go1"/>'
            f'</properties>{body}</testsuite></testsuites>')
    return "gotestsum.xml", text, wanted(cases)


def go_junit_report(rng):
    cases = tests(rng)
    inner = {"passed": "", "failed": '<failure message="Failed">a_test.go:1</failure>', "skipped": '<skipped message="Skipped"></skipped>'}
    body = "".join(f'\n\t\t<testcase name={quoteattr(name)} classname="a" time="{seconds(rng)}">{inner[outcome]}</testcase>'
                   for name, outcome in cases)
    skipped = count(cases, "skipped")
    return "go.xml", (
        f'<testsuites tests="{len(cases)}" failures="{count(cases, "failed")}" skipped="{skipped}">\n\t<testsuite name="a" '
        f'tests="{len(cases)}" failures="{count(cases, "failed")}" errors="0" id="0" hostname="h1" skipped="{skipped}" time="0.1">{body}'
        "<system-out><![CDATA[<failure/>]]></system-out>\n\t</testsuite>\n</testsuites>"), wanted(cases)


def bazel(rng):
    is_failed = rng.random() < 0.5
    error = '<error message="exited with error code 1"></error>' if is_failed else ""
    text = (f'<testsuites>\n  <testsuite name="kit/tests" tests="1" failures="0" errors="{int(is_failed)}">\n    <testcase name="kit/tests" '
            f'status="run" duration="12" time="12">{error}</testcase>\n      <system-out>\nGenerated test.log:\n<![CDATA[boom <failure>]]>\n'
            "      </system-out>\n    </testsuite>\n</testsuites>")
    return "test.xml", text, wanted([("kit/tests", "failed" if is_failed else "passed")])


def catch2(rng):
    """Counts assertions where others count tests."""
    cases = tests(rng)
    inner = {"passed": "/>", "failed": '><failure message="1 == 2" type="REQUIRE">\nFAILED\n</failure></testcase>',
             "skipped": '><skipped message="TEST_CASE tagged with !mayfail"/></testcase>'}
    body = "".join(f'<testcase classname="t.global" name={quoteattr(name)} time="0.001" status="run"{inner[outcome]}' for name, outcome in cases)
    text = (f'<testsuites>\n  <testsuite name="t" errors="0" failures="{count(cases, "failed")}" skipped="{count(cases, "skipped")}" '
            f'tests="{len(cases) * 7}" hostname="tbd" time="0.1" timestamp="2026-01-01T00:00:00Z"><properties><property '
            f'name="random-seed" value="1"/></properties>{body}<system-out/><system-err/></testsuite></testsuites>')
    return "catch2.xml", text, wanted(cases)


def doctest(rng):
    """The same, with nothing else that tells it."""
    cases = tests(rng, ("passed", "failed"))
    inner = {"passed": "/>", "failed": '><failure message="1 == 2" type="CHECK"><![CDATA[a.cpp:1]]></failure></testcase>'}
    body = "".join(f'<testcase classname="a.cpp" name={quoteattr(name)} time="0.1" status="run"{inner[outcome]}' for name, outcome in cases)
    return "doctest.xml", (
        f'<testsuites><testsuite name="t" errors="0" failures="{count(cases, "failed")}" tests="{len(cases) * 5}">{body}</testsuite>'
        "</testsuites>"), wanted(cases)


def rspec(rng):
    cases = tests(rng)
    inner = {"passed": "", "failed": '<failure message="no" type="RSpec::Expectations::ExpectationNotMetError">no</failure>',
             "skipped": "<skipped/>"}
    body = "".join(f'<testcase classname="spec.a_spec" name={quoteattr(name)} file="./spec/a_spec.rb" time="{seconds(rng)}">'
                   f"{inner[outcome]}</testcase>" for name, outcome in cases)
    text = (f'<testsuite name="rspec" tests="{len(cases)}" skipped="{count(cases, "skipped")}" failures="{count(cases, "failed")}" '
            f'errors="0" time="1" timestamp="2026-01-01T00:00:00+00:00" hostname="h"><properties><property name="seed" value="1"/>'
            f"</properties>{body}</testsuite>")
    return "rspec.xml", text, wanted(cases)


def node(rng):
    """A suite in a suite, and the failure in an attribute as well."""
    cases = tests(rng)
    inner = {"passed": "/>", "failed": ' failure="no"><failure type="testCodeFailure" message="no">Error</failure></testcase>',
             "skipped": '><skipped type="skipped" message="true"/></testcase>'}
    body = "".join(f'<testcase name={quoteattr(name)} time="{seconds(rng)}" classname="test"{inner[outcome]}' for name, outcome in cases)
    text = (f'<testsuites>\n<testsuite name="s" time="0.1" disabled="0" errors="0" tests="{len(cases)}" failures="{count(cases, "failed")}" '
            f'skipped="{count(cases, "skipped")}" hostname="h">{body}</testsuite>\n<!-- tests {len(cases)} -->\n</testsuites>')
    return "node.xml", text, wanted(cases)


def playwright(rng):
    """The same tests in several projects, which only the host names."""
    cases = tests(rng)
    suites, seen = "", []
    for project in rng.sample(["chromium", "firefox", "webkit"], 2):
        run = [(name, rng.choice([outcome, "passed"])) for name, outcome in cases]
        inner = {"passed": "", "failed": '<failure message="no" type="FAILURE"><![CDATA[no]]></failure>', "skipped": "<skipped></skipped>"}
        body = "".join(f'<testcase name={quoteattr(name)} classname="a.spec.ts" time="1">{inner[outcome]}</testcase>' for name, outcome in run)
        suites += (f'<testsuite name="a.spec.ts" timestamp="2026-01-01T00:00:00.000Z" hostname="{project}" tests="{len(run)}" '
                   f'failures="{count(run, "failed")}" skipped="{count(run, "skipped")}" time="3" errors="0">{body}</testsuite>')
        seen += run
    text = (f'<testsuites id="" name="" tests="{len(seen)}" failures="{count(seen, "failed")}" skipped="{count(seen, "skipped")}" errors="0" '
            f'time="9.1">{suites}</testsuites>')
    return "playwright.xml", text, wanted(seen)


def arguments(rng):
    """One name for every argument; the first passes, so that none of the others is a retry."""
    outcomes = ["passed"] + [rng.choice(["passed", "failed"]) for _ in range(rng.randint(1, 6))]
    body = "".join('<testcase name="works(n:)" time="0.1" classname="Kit">' + ("<failure message='no'/>" if outcome == "failed" else "")
                   + "</testcase>" for outcome in outcomes)
    cases = [("works(n:)", outcome) for outcome in outcomes]
    return "arguments.xml", (f'<testsuites><testsuite name="Kit" tests="{len(cases)}" failures="{count(cases, "failed")}">{body}</testsuite>'
                             "</testsuites>"), wanted(cases)


def wrapped(rng):
    """Elements that nobody knows around suites and cases, and suites and cases in each other."""
    cases = tests(rng, least=3)
    inner = {"passed": "", "failed": "<details><failure message='no'/></details>", "skipped": "<skipped/>"}
    def case(entry):
        return f'<testcase classname="w.T" name={quoteattr(entry[0])}>{inner[entry[1]]}'
    nested = case(cases[0]) + case(cases[1]) + "</testcase></testcase>"
    rest = "".join(case(entry) + "</testcase>" for entry in cases[2:])
    around = rng.choice(["group", "testsuites", "testcases", "package"])
    declared = rng.choice(["", "<!DOCTYPE testsuites [ <!-- a --> <!ELEMENT testsuites ANY>\n<!ATTLIST testcase name CDATA \"a%b\"> <?x?> ]>\n"])
    return "wrapped.xml", (f"{declared}<testsuites><{around}><testsuite name='w'>{nested}<{around}>{rest}</{around}></testsuite></{around}>"
                           "</testsuites>"), wanted(cases)


def counts(rng, most=9):
    return {line: rng.choice([0, 0, 1, 2, 1 << 40]) for line in sorted(rng.sample(range(1, 60), rng.randint(1, most)))}


def lines(*files):
    numbers = [number for file in files for number in file.values()]
    return {"lines": [sum(number > 0 for number in numbers), len(numbers)]}


def classes(files, line, methods=lambda file: "<methods/>", own=True):
    text = ""
    for name, file in files.items():
        body = "".join(line(number, hits) for number, hits in file.items()) if own else ""
        text += f'<class name={quoteattr(name)} filename={quoteattr(name)} line-rate="0.5">{methods(file)}<lines>{body}</lines></class>'
    return f'<packages><package name="p" line-rate="0.5"><classes>{text}</classes></package></packages>'


def coverage_py(rng):
    files = {"a/b.py": counts(rng), "c.py": counts(rng)}
    body = classes(files, lambda number, hits: f'<line number="{number}" hits="{min(hits, 1)}"/>')
    valid = sum(map(len, files.values()))
    return "coverage.xml", (
        f'<?xml version="1.0" ?>\n<!-- Generated by coverage.py -->\n<coverage version="7" timestamp="1" lines-valid="{valid}">'
        f"<sources>\n<source>\n  /home/ci/py\n</source></sources>{body}</coverage>"), lines(*files.values())


def gcovr(rng):
    files = {"src/a.c": counts(rng), "src/b.h": counts(rng)}
    def methods(file):
        return ('<methods><method name="f()" signature="()" line-rate="1" branch-rate="1"><lines>'
                + "".join(f'<line number="{number}" hits="{hits}" branch="false"/>' for number, hits in list(file.items())[:2])
                + "</lines></method></methods>")
    body = classes(files, lambda number, hits: f'<line number="{number}" hits="{hits}" branch="false"/>', methods)
    return "gcovr.xml", (
        "<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE coverage SYSTEM 'http://cobertura.sourceforge.net/xml/coverage-04.dtd'>\n"
        f'<coverage line-rate="0.5"><sources><source>.</source></sources>{body}</coverage>'), lines(*files.values())


def methods_only(rng):
    """Lines that only the methods have, as some converters of Go and .NET write them."""
    file = counts(rng)
    def methods(file):
        return "<methods>" + "".join(f'<method name="m{number}"><lines><line number="{number}" hits="{hits}"/></lines></method>'
                                     for number, hits in file.items()) + "</methods>"
    return "go.xml", f"<coverage>{classes({'a.go': file}, None, methods, own=False)}</coverage>", lines(file)


def odd_cobertura(rng):
    """Fractions, and a line or two that no file has."""
    file = counts(rng) | {70: 1, 71: 0}
    body = classes({"a.ts": file}, lambda number, hits: f'<line number="{number}" hits="{float(hits)}"/>')
    odd = rng.choice(['<line number="0" hits="1"/>', '<line number="undefined" hits="1"/>', '<line number="9999" hits=""/>'])
    dtd = rng.choice(["", '<!DOCTYPE coverage [<!ELEMENT line EMPTY><!ATTLIST line hits CDATA #REQUIRED>\n<!NOTATION n SYSTEM "x">]>'])
    return "odd.xml", dtd + f"<coverage>{body.replace('<lines>', '<lines>' + odd, 1)}</coverage>", lines(file)


def lcov(rng):
    """Of version 1 or 2, and of writers that add blanks, comments, checksums, or the end of a line of Windows."""
    files = {"src/a.c": counts(rng), "src/b.c": counts(rng)}
    end = rng.choice(["\n", "\r\n", " \n"])
    head = rng.choice(["TN:\n", "# made by geninfo\nTN:\n", "", "\n\n", "\ufeffTN:\n"])
    text = ""
    for name, file in files.items():
        text += f"SF:{name}{end}" + rng.choice(["", f"VER:1{end}"])
        text += rng.choice([f"FN:1,f{end}FNDA:1,f{end}", f"FNL:0,1,9{end}FNA:0,3,f{end}FNF:1{end}FNH:1{end}", f"FN:1,9,f{end}", ""])
        for number, hits in file.items():
            text += f"DA:{number},{rng.choice([str(hits), f' {hits}', f'{float(hits)}', f'{hits},e3ZBlm=='])}{end}"
        text += rng.choice(["", f"DA:0,1{end}"]) if len(file) > 1 else ""
        text += f"BRDA:1,0,0,-{end}LF:{len(file)}{end}end_of_record{end}"
    return "lcov.info", head + text, lines(*files.values())


def llvm_cov(rng):
    """With its members in any order, a byte order mark, and those of cargo-llvm-cov."""
    import json
    segments, covered, total, line = [], 0, 0, 1
    for _ in range(rng.randint(1, 5)):
        length, hits = rng.randint(1, 5), rng.choice([0, 0, 3, 7])
        segments += [[line, 1, hits, True, True, False], [line + length - 1, 9, 0, False, False, False]]
        covered, total, line = covered + (length if hits else 0), total + length, line + length + rng.randint(0, 3)
    tally = {"count": 2, "covered": 1, "percent": 50}
    summary = {name: tally for name in ("lines", "functions", "instantiations", "regions", "branches")}
    file = {"filename": "/home/ci/x/src/a.rs", "segments": segments, "branches": [], "expansions": [], "summary": summary}
    members = {"data": [{"files": [file], "functions": [], "totals": summary}], "type": "llvm.coverage.json.export",
               "version": rng.choice(["2.0.1", "3.0.1", "3.1.0"]), "cargo_llvm_cov": {"version": "0.6.16", "data": [1]}}
    order = rng.sample(list(members), 4)
    text = json.dumps({name: members[name] for name in order}, indent=rng.choice([None, 2]))
    return "export.json", rng.choice(["", "\ufeff"]) + text, {"lines": [covered, total]}


ALL = [pytest, surefire, gtest, ctest, jest, mocha, phpunit, nunit, gotestsum, go_junit_report, bazel, catch2, doctest, rspec, node,
       playwright, arguments, wrapped, coverage_py, gcovr, methods_only, odd_cobertura, lcov, llvm_cov]
