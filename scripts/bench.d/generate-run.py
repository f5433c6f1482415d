#!/usr/bin/env python3
"""Writes a run directory: COUNT tests, and FILES (by default a tenth of that) of 200 lines each with their coverage.

usage: generate-run.py COUNT SEED FOLDER [FILES]
"""

import hashlib
import json
import pathlib
import random
import sys

count, seed, folder = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
count_of_files = int(sys.argv[4]) if len(sys.argv) > 4 else count // 10
chance = random.Random(seed)
root = "/home/ci/bench"
(folder / "sources").mkdir(parents=True)

modules, sources, files = [], [], []
for number in range(count_of_files):
    module = f"Module{number // 25}"
    if number % 25 == 0:
        modules.append({"name": module, "compilerName": module, "kind": "library", "isSwift": True,
                        "path": f"Sources/{module}", "sources": [], "dependencies": []})
    modules[-1]["sources"].append(f"File{number}.swift")
    path = f"Sources/{module}/File{number}.swift"
    lines = [f"    let value{line} = compute(\"{chance.randrange(1 << 30)}\", {line})" for line in range(200)]
    text = "\n".join(lines).encode() + b"\n"
    digest = hashlib.sha256(text).hexdigest()
    (folder / "sources" / digest).write_bytes(text)
    sources.append({"path": path, "sha256": digest})
    records = "".join(f"DA:{line},{chance.choice([0, 1, 1, 7, 4000])}\n" for line in range(1, 201) if line % 5)
    files.append(f"SF:{root}/{path}\n{records}end_of_record\n")

cases = []
for number in range(count):
    body = f'<failure message="expected {number}">Tests/T.swift:{number}</failure>' if number % 500 == 7 else ""
    cases.append(f'<testcase classname="T{number // 500}.Suite{number // 25}" name="test_{number}" time="0.00{number % 10}">{body}</testcase>')

artifacts = []
policy = {
    "defaultFloors": {"line": "80"}, "excludes": [], "minimumTests": 1, "modules": [], "flaky": "warn", "budgets": [],
    "quarantine": [],
}
for role, name, text in [("policy", "policy.json", json.dumps(policy)), ("lcov", "coverage.lcov", "".join(files)),
                         ("xunit", "xunit.xml", "<testsuite>" + "\n".join(cases) + "</testsuite>")]:
    data = text.encode()
    (folder / name).write_bytes(data)
    artifacts.append({"role": role, "path": name, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})

(folder / "manifest.json").write_text(json.dumps({
    "schemaVersion": 1, "kanmonVersion": "0", "runID": "019b7c00-0000-7000-8000-0000000be7c4", "project": "bench",
    "package": "bench", "packageRoot": root, "startedAt": "2026-01-02T03:04:05.000Z", "duration": 1, "engine": "foreign",
    "toolchain": {"swiftVersion": "", "llvmVersion": "", "target": ""}, "arguments": [], "steps": [], "modules": modules,
    "modulesWithoutObjects": [], "withheldEnvironment": [], "profiles": [], "gaps": [], "notes": [], "artifacts": artifacts,
    "sources": sources}))
