"""Readers of Kanmon's exports by other tools, for scripts/check-readers."""

import collections
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import urllib.parse
import xml.etree.ElementTree

import junitparser
import sarif.loader
import sarif_pydantic
import xunitparser
from pycobertura import Cobertura

import clones
from surroundings import PERSON, work_folder
from tools import ROOT

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = ROOT / "Tests/EvidenceTests/Fixtures/Recorded"
EXPORTS = ROOT / "Tests/EvidenceTests/Fixtures/coverage"
# The packages of --real.
REAL = ["swift-argument-parser", "Yams", "swift-algorithms"]
# The file names of recorded outputs, and their roles in a run directory.
ROLES = {"xunit.xml": "xunit", "xunit-swift-testing.xml": "xunit", "events.jsonl": "event-stream", "stdout.txt": "transcript"}


class Difference(Exception):
    pass


class Refused(Exception):
    """Kanmon refuses the input, because it is incomplete."""


def expect(what, found, wanted):
    if found != wanted:
        raise Difference(f"{what}: found {found}, Kanmon says {wanted}")


def run(*words, cwd=None, statuses=(0,)):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    if done.returncode not in statuses:
        raise Difference(f"{' '.join(map(str, words))} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
    return done.stdout


# ---- Runs


def run_directory(folder, name, number, files, modules, root):
    """A run directory like those of `kanmon run`, made of recorded files: pairs of a role and a path.

    If only xUnit files were recorded, it is a run of another tool, because Kanmon's own runs always have more evidence."""
    folder = folder / name
    folder.mkdir(parents=True)
    artifacts = []
    for index, (role, path) in enumerate(files):
        target = f"{index}-{path.name}"
        data = path.read_bytes()
        (folder / target).write_bytes(data)
        artifacts.append({"role": role, "path": target, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
    template = json.loads((ROOT / "Tests/KanmonTests/Runs/Mixed/manifest.json").read_text())
    policy = (ROOT / "Tests/KanmonTests/Runs/Crashing/policy.json").read_bytes()
    (folder / "policy.json").write_bytes(policy)
    artifacts.append({"role": "policy", "path": "policy.json", "bytes": len(policy), "sha256": hashlib.sha256(policy).hexdigest()})
    template.update(
        runID=f"019b7c01-{number:04x}-7000-8000-{number:012x}", artifacts=artifacts, modules=modules, package=name, project=name,
        packageRoot=root, sources=[], steps=[], profiles=[], engine="foreign" if {role for role, _ in files} == {"xunit"} else "swift-test")
    (folder / "manifest.json").write_text(json.dumps(template))
    return folder


def recorded(folder, given):
    """The recorded outputs of SwiftPM in a folder, each as a run directory."""
    cases = sorted(path for path in given.iterdir() if path.is_dir() and (path / "xunit.xml").exists() or list(path.glob("xunit*.xml")))
    for number, case in enumerate(cases, 1):
        files = [(role, case / name) for name, role in ROLES.items() if (case / name).exists()]
        yield run_directory(folder, case.name, number, files, [], "/home/ci/Sample")


def covered(folder, given):
    """The recorded exports of llvm-cov in a folder, each with the modules that its paths name."""
    for number, export in enumerate(sorted(given.glob("*.json")), 0xF00):
        paths = [file["filename"] for file in json.loads(export.read_text())["data"][0]["files"]]
        # Only the root package has tests in an export.
        root = next((path.split("/Tests/")[0] for path in paths if "/Tests/" in path), "")
        sources = collections.defaultdict(list)
        for path in paths:
            inside = path.removeprefix(root + "/Sources/").split("/", 1)
            if len(inside) == 2 and path.startswith(root + "/Sources/"):
                sources[inside[0]].append(inside[1])
        modules = [
            {"compilerName": name, "dependencies": [], "isSwift": True, "kind": "library", "name": name, "path": f"Sources/{name}", "sources": files}
            for name, files in sorted(sources.items())]
        if modules:
            stream = RECORDED / "direct-st-good/events.jsonl"
            yield run_directory(folder, export.stem, number, [("event-stream", stream), ("coverage-export", export)], modules, root)


def real(kanmon, folder):
    """New runs of real packages."""
    for name in REAL:
        home = folder / name
        run(kanmon, "run", "--package-path", clones.fixed(name), "--home", home, "--exit-zero")
        yield from home.glob("runs/*/*")


def checkout(run_folder, place):
    """The sources that a run kept, as a package in a git repository with one empty commit before them."""
    manifest = json.loads((run_folder / "manifest.json").read_text())
    git = ["env", *(f"{name}={value}" for name, value in PERSON.items()), "git", "-c", "init.defaultBranch=main"]
    place.mkdir(parents=True)
    run(*git, "init", "-q", cwd=place)
    run(*git, "commit", "-q", "--allow-empty", "-m", "empty", cwd=place)
    run(*git, "branch", "base", cwd=place)
    for source in manifest["sources"]:
        kept = run_folder / "sources" / source["sha256"]
        if kept.exists():
            (place / source["path"]).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(kept, place / source["path"])
    run(*git, "add", "-A", cwd=place)
    run(*git, "commit", "-q", "--allow-empty", "-m", "all", cwd=place)
    return bool(manifest["sources"])


def moved_to(package, moved):
    """The manifest of a copied run directory after its package has moved: every record names the new folder."""
    manifest = json.loads((moved / "manifest.json").read_text())
    for artifact in manifest["artifacts"]:
        path = moved / artifact["path"]
        data = path.read_bytes().replace(manifest["packageRoot"].encode() + b"/", f"{package}/".encode())
        path.write_bytes(data)
        artifact.update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    manifest["packageRoot"] = str(package)
    return manifest


def exports(kanmon, run_folder, folder):
    """All exports of a run, written by `kanmon`, with the package at `folder`/package."""
    package = folder / "package"
    has_sources = checkout(run_folder, package)
    moved = folder / "moved"
    shutil.copytree(run_folder, moved)
    manifest = moved_to(package, moved)
    (moved / "manifest.json").write_text(json.dumps(manifest))
    home = folder / "home"
    if manifest["engine"] != "foreign":
        run(kanmon, "ingest", moved, "--home", home, statuses=range(6))
        found = json.loads(run(kanmon, "report", "--home", home, manifest["runID"], "--format", "json"))
        xunit = [artifact for artifact in manifest["artifacts"] if artifact["role"] in ("xunit", "policy")]
        if found["outcomes"]["total"] == 0 and len(xunit) > 1:
            # Only its xUnit file names the tests, so it is read as that of another tool, without repairs.
            manifest.update(engine="foreign", artifacts=xunit, runID=manifest["runID"].replace("019b7c0", "019b7d0", 1))
            (moved / "manifest.json").write_text(json.dumps(manifest))
    if manifest["engine"] == "foreign":
        done = subprocess.run([str(kanmon), "ingest", str(moved), "--home", str(home)], capture_output=True, text=True)
        if done.returncode == 65 and "ends too early" in done.stderr:
            raise Refused(done.stderr.splitlines()[0].removeprefix("kanmon: failed to read evidence: "))
        if done.returncode > 5:
            raise Difference(done.stderr.strip())
    out = folder / "out"
    def report(form, *more, statuses=(0,)):
        run(kanmon, "report", "--home", home, manifest["runID"], "--format", form, "--out", out / form, *more, statuses=statuses)
    for form in ["json", "junit", "sonar-tests", "gitlab-code-quality", "github-annotations", "markdown", "sarif"]:
        report(form)
    truth = json.loads((out / "json").read_text())
    is_covered = any(module["lines"]["total"] for module in truth["modules"] if module.get("lines"))
    expect("a run with coverage", is_covered, any(artifact["role"] == "coverage-export" for artifact in manifest["artifacts"]))
    if is_covered:
        for form in ["cobertura", "lcov", "sonar-coverage"]:
            report(form)
    return truth, out, package, has_sources


# ---- Tests


def check_tests(truth, out):
    outcomes = truth["outcomes"]
    # What keeps a run from passing without being a test is a suite of its own.
    rules = [violation for violation in truth["violations"] if violation["rule"] != "tests"]
    gaps = truth["gaps"]
    wanted = {
        "tests": outcomes["total"] + len(rules) + len(gaps), "failed": outcomes["failed"] + len(rules),
        "skipped": outcomes["skipped"],
        "errors": outcomes["crashed"] + outcomes["timedOut"] + outcomes["notRun"] + len(gaps),
    }
    files = sorted((out / "junit").glob("*.xml"))
    if files:
        run("xmllint", "--noout", "--nonet", "--schema", HERE / "jenkins-xunit.xsd", *files)
    found = {name: collections.Counter() for name in ["junitparser", "xunitparser", "junit2html"]}
    for file in files:
        top = junitparser.JUnitXml.fromfile(str(file))
        for case in top if isinstance(top, junitparser.TestSuite) else (case for suite in top for case in suite):
            count = found["junitparser"]
            count["tests"] += 1
            kinds = [type(result) for result in case.result]
            count["failed"] += junitparser.Failure in kinds
            count["errors"] += junitparser.Error in kinds
            count["skipped"] += junitparser.Skipped in kinds
        with open(file) as stream:
            suite, _ = xunitparser.parse(stream)
        for case in suite:
            count = found["xunitparser"]
            count["tests"] += 1
            count["failed"] += case.failed
            count["errors"] += case.errored
            count["skipped"] += case.skipped
    if files:
        run("junit2html", "--merge", out / "merged.xml", *files)
        run("junit2html", out / "merged.xml", out / "merged.html")
        for case in xml.etree.ElementTree.parse(out / "merged.xml").iter("testcase"):
            kinds = {child.tag for child in case}
            count = found["junit2html"]
            count["tests"] += 1
            # This tool writes errors as failures when it merges.
            count["failed or errors"] += bool(kinds & {"failure", "error"})
            count["skipped"] += "skipped" in kinds
    for name in ["junitparser", "xunitparser"]:
        expect(name, {key: found[name][key] for key in wanted}, wanted)
    count = found["junit2html"]
    expect("junit2html", (count["tests"], count["failed or errors"], count["skipped"]),
           (wanted["tests"], wanted["failed"] + wanted["errors"], wanted["skipped"]))
    run("xmllint", "--noout", "--nonet", "--schema", HERE / "sonar.xsd", out / "sonar-tests")
    for entry in json.loads((out / "gitlab-code-quality").read_text()):
        expect("fields of Code Quality", sorted(entry), ["check_name", "description", "fingerprint", "location", "severity"])
    check_sarif(out)
    check_colors(truth, out, found["junitparser"])
    for line in (out / "github-annotations").read_text().splitlines():
        if not re.match(r"::(error|warning) [^:\n]*::", line):
            raise Difference(f"no workflow command: {line[:80]}")
    return wanted["tests"]


def check_colors(truth, out, junit):
    """No format that names problems looks green where the verdict is not, and none looks red where it is."""
    sonar = xml.etree.ElementTree.parse(out / "sonar-tests")
    red = {
        "junit": junit["failed"] + junit["errors"] > 0,
        "sonar-tests": any(child.tag in ("failure", "error") for case in sonar.iter("testCase") for child in case),
        "gitlab-code-quality": any(
            entry["severity"] == "critical" for entry in json.loads((out / "gitlab-code-quality").read_text())),
        "github-annotations": "::error" in (out / "github-annotations").read_text(),
        "sarif": any(result["level"] == "error" for result in json.loads((out / "sarif").read_text())["runs"][0]["results"]),
    }
    passed = truth["verdict"]["decision"] == "passed"
    expect("formats that show the verdict", red, {name: not passed for name in red})


def check_sarif(out):
    """Two independent readers: a model of the format that knows its types, and a tool that counts by severity."""
    log = json.loads((out / "sarif").read_text())
    try:
        sarif_pydantic.Sarif.model_validate(log)
    except ValueError as error:
        raise Difference(f"sarif-pydantic: {str(error)[:300]}") from None
    renamed = out / "kanmon.sarif"
    renamed.write_bytes((out / "sarif").read_bytes())
    counts = sarif.loader.load_sarif_file(str(renamed)).get_report().get_issue_count_for_severity
    results = log["runs"][0]["results"]
    for level in ("error", "warning"):
        expect(f"sarif-tools, {level}", counts(level), sum(result["level"] == level for result in results))
    places = {(entry["location"]["path"], entry["location"]["lines"]["begin"])
              for entry in json.loads((out / "gitlab-code-quality").read_text())}
    places_of_sarif = {(urllib.parse.unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"])
                       for result in results for place in [result["locations"][0]["physicalLocation"]]}
    expect("places of SARIF", places_of_sarif, places)


# ---- Coverage


def tracefile(path):
    """The states of lines in an LCOV tracefile, by file."""
    states, current = {}, None
    for line in path.read_text().splitlines():
        if line.startswith("SF:"):
            current = states.setdefault(line[3:], {})
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            current[int(number)] = int(count) > 0
    return states


def check_coverage(truth, out, package, has_sources):
    if not (out / "lcov").exists():
        return 0
    measured = [module["lines"] for module in truth["modules"] if module.get("lines")]
    covered, total = (sum(lines[key] for lines in measured) for key in ["covered", "total"])
    # The states in Kanmon's LCOV file; their sums must be those of its report, and so of its verdict.
    own = {os.path.relpath(path, package): lines for path, lines in tracefile(out / "lcov").items()}
    sums = lambda states: (sum(sum(lines.values()) for lines in states.values()), sum(map(len, states.values())))
    expect("LCOV", sums(own), (covered, total))

    cobertura = out / "cobertura"
    run("xmllint", "--noout", "--nonet", "--dtdvalid", HERE / "cobertura.dtd", cobertura)
    for line in xml.etree.ElementTree.parse(cobertura).iter("line"):
        if not 0 <= int(line.get("hits")) < 1 << 31:
            raise Difference(f"hits beyond Jenkins' range: {line.get('hits')}")
    methods = [any(line.get("hits") != "0" for line in method.iter("line"))
               for method in xml.etree.ElementTree.parse(cobertura).iter("method")]
    if methods:
        counted = [module["functions"] for module in truth["modules"] if module.get("functions")]
        expect("methods", (sum(methods), len(methods)),
               tuple(sum(functions[key] for functions in counted) for key in ["covered", "total"]))
        for file in xml.etree.ElementTree.parse(cobertura).iter("class"):
            # Jenkins refuses the whole report where two are the same.
            names = [method.get("name") + method.get("signature") for method in file.iter("method")]
            expect("names of methods", len(set(names)), len(names))
    reader = Cobertura(str(cobertura))
    expect("pycobertura", {file: {number: status in (True, "hit") for number, status in reader.line_statuses(file)} for file in reader.files()}, own)

    run("xmllint", "--noout", "--nonet", "--schema", HERE / "sonar.xsd", out / "sonar-coverage")
    sonar = {
        file.get("path"): {int(line.get("lineNumber")): line.get("covered") == "true" for line in file.iter("lineToCover")}
        for file in xml.etree.ElementTree.parse(out / "sonar-coverage").iter("file")
    }
    expect("Sonar", sonar, own)

    run("gcovr", "--cobertura-add-tracefile", cobertura, "--root", package, "--json", out / "gcovr.json", cwd=package)
    gcovr = {
        file["file"]: {line["line_number"]: line["count"] > 0 for line in file["lines"]}
        for file in json.loads((out / "gcovr.json").read_text())["files"]
    }
    expect("gcovr", gcovr, own)

    run("lcov", "--quiet", "--add-tracefile", out / "lcov", "--output-file", out / "again.info")
    expect("lcov", {os.path.relpath(path, package): lines for path, lines in tracefile(out / "again.info").items()}, own)
    if has_sources:
        said = run("genhtml", "--prefix", package, "--output-directory", out / "genhtml", out / "lcov")
        found = re.search(r"lines\.*: [\d.]+% \((\d+) of (\d+) lines?\)", said)
        expect("genhtml", tuple(map(int, found.groups())) if found else said[-200:], (covered, total))
        for report in ["cobertura.xml", "lcov.info"]:
            shutil.copy(out / report.split(".")[0], out / report)
            run("diff-cover", out / report, "--compare-branch", "base", "--quiet", "--format", f"json:{out / 'diff.json'}", cwd=package)
            stats = json.loads((out / "diff.json").read_text())["src_stats"]
            missed = {path: sorted(number for number, hit in lines.items() if not hit) for path, lines in own.items() if lines}
            expect(f"diff-cover of {report}", {path: stats.get(path, {}).get("violation_lines") for path in missed}, missed)
    return total


def check(kanmon: str, options) -> int:
    """Prints a line for each run, with the numbers of compared tests and lines; returns the exit status."""
    failures = 0
    with work_folder() as folder:
        runs = [path.resolve() for path in options.runs]
        if not runs:
            runs = sorted(path for path in (ROOT / "Tests/KanmonTests/Runs").iterdir() if (path / "manifest.json").exists())
            runs += [*recorded(folder / "recorded", options.recorded or RECORDED), *covered(folder / "covered", EXPORTS)]
        if options.real:
            runs += real(kanmon, folder / "real")
        for number, path in enumerate(runs):
            try:
                truth, out, package, has_sources = exports(kanmon, path, folder / f"run-{number}")
                tests, lines = check_tests(truth, out), check_coverage(truth, out, package, has_sources)
                if path.name == "Overflow":
                    expect("the lines of the package whose counters overflow", truth["modules"][0]["lines"], {"covered": 6, "total": 9})
                print(f"ok      {truth['run']['project'] if path.name == truth['run']['id'] else path.name}: {tests} tests, {lines} lines")
            except Refused as refusal:
                print(f"refused {path.name}: {refusal}")
            except Difference as difference:
                failures += 1
                print(f"FAILED  {path.name}: {difference}")
            except Exception as fault:
                # An error of a reader is what this check looks for.
                failures += 1
                print(f"FAILED  {path.name}: {type(fault).__name__}: {fault}")
    print(f"check-readers: {len(runs)} runs, {failures} with differences" if failures else f"check-readers: {len(runs)} runs, no difference")
    return 1 if failures else 0

