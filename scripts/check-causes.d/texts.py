"""The packages of scripts/check-causes and the texts of their files. NN stands for the number of a unit, MODULE for its module."""

import pathlib
from typing import NamedTuple

import chance


class Kind(NamedTuple):
    """A package that the check writes."""

    name: str
    libraries: tuple
    modules: tuple = ("Core",)
    # Whether a target is written in C.
    has_c: bool = False
    # Whether commits are judged, and not the working copy.
    judges_commits: bool = False


KINDS = [
    Kind("classic", ("xctest",), judges_commits=True),
    Kind("modern", ("testing",), judges_commits=True),
    Kind("rooms", ("xctest", "testing"), ("Kitchen", "Cellar")),
    Kind("bridge", ("xctest",), has_c=True, judges_commits=True),
]

SETTINGS = "project: causes\ncoverage:\n  modules:\n    default: 0\n"
# A change that matters to no failure is a part of every change.
NEAR = "public func near(_ value: Int) -> Int {\n    let sum = value + 1\n    return sum\n}\n"
NEAR_EDIT = ("let sum = value + 1\n    return sum", "let total = value + 1\n    return total")


def outside(folder: pathlib.Path) -> str:
    """A module that asks what lies outside of the package: dice, a port, variables, files, the clock."""
    return f"""import Foundation

{chance.source(folder)}
public func canListen(on port: UInt16) -> Bool {{
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer {{ close(descriptor) }}
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    place.sin_port = port.bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafePointer(to: &place) {{ pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {{ bind(descriptor, $0, length) == 0 }}
    }}
}}

public func variable(_ name: String) -> String {{ ProcessInfo.processInfo.environment[name] ?? "" }}

public func service(_ name: String) -> String {{
    FileManager.default.contents(atPath: "{folder}/" + name).map {{ String(decoding: $0, as: UTF8.self) }} ?? ""
}}

public struct WriteError: Error, CustomStringConvertible {{
    public let description: String
}}

public func log(to name: String) throws {{
    let descriptor = open("{folder}/" + name, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else {{ throw WriteError(description: String(cString: strerror(errno))) }}
    defer {{ close(descriptor) }}
    let line = Array("a line of a log\\n".utf8)
    guard write(descriptor, line, line.count) == line.count else {{
        throw WriteError(description: String(cString: strerror(errno)))
    }}
}}

public func hourOfEpoch() -> Int {{
    var moment = time_t(0)
    var parts = tm()
    localtime_r(&moment, &parts)
    return Int(parts.tm_hour)
}}

public func isBefore(_ seconds: Double) -> Bool {{ Date().timeIntervalSince1970 < seconds }}
"""


class Unit:
    """A function with its test, in files of their own, so that several can be changed at a time."""

    def __init__(self, kind: Kind, number: int):
        self.kind, self.number = kind, f"{number:02}"
        self.module = kind.modules[number % len(kind.modules)]
        self.library = kind.libraries[number // len(kind.modules) % len(kind.libraries)]

    def filled(self, value):
        """A text, or the texts of edits and files, with number and module."""
        match value:
            case str():
                return value.replace("NN", self.number).replace("MODULE", self.module)
            case tuple():
                return tuple(self.filled(part) for part in value)
            case dict():
                return {self.filled(key): self.filled(part) for key, part in value.items()}
        return value

    def id(self, suite: str, xctest: str, testing: str, is_free: bool = True) -> tuple:
        """Module, suite and name of a test, as a report has them."""
        parts = (suite, xctest) if self.library == "xctest" else ("" if is_free else suite, testing)
        return self.filled(("MODULETests", *parts))

    @property
    def test(self) -> tuple:
        return self.id("UnitNNTests", "testUnitNN", "unitNNWorks()")

    def equal(self, one: str, other: str) -> str:
        return f"XCTAssertEqual({one}, {other})" if self.library == "xctest" else f"#expect({one} == {other})"

    def head(self) -> str:
        return f"import Base\nimport Foundation\nimport MODULE\nimport Outside\nimport {'XCTest' if self.library == 'xctest' else 'Testing'}\n\n"

    def function(self, xctest: str, testing: str, lines: tuple, indent: str) -> str:
        """A test with some lines; `indent` is that of its declaration."""
        declaration = f"func {xctest}() throws" if self.library == "xctest" else f"@Test func {testing}() throws"
        return f"{indent}{declaration} {{\n" + "".join(f"{indent}    {line}\n" for line in lines) + f"{indent}}}\n"

    def tests(self, *lines: str, name: str = "UnitNN", xctest: str = "testUnitNN", testing: str = "unitNNWorks") -> dict:
        """A file with one test."""
        if self.library == "xctest":
            body = f"final class {name}Tests: XCTestCase {{\n{self.function(xctest, testing, lines, '    ')}}}\n"
        else:
            body = self.function(xctest, testing, lines, "")
        return self.filled({f"Tests/MODULETests/{name}Tests.swift": self.head() + body})

    def suite(self, before: str, functions: list) -> dict:
        """A file with a suite whose tests run one after the other; `functions` are pairs of a name and its lines."""
        is_classic = self.library == "xctest"
        body = "".join(self.function(f"test{name.capitalize()}", name, lines, "    ") for name, lines in functions)
        opening = "final class UnitNNTests: XCTestCase" if is_classic else "@Suite(.serialized) struct UnitNNTests"
        return self.filled({"Tests/MODULETests/UnitNNTests.swift": f"{self.head()}{before}{opening} {{\n{body}}}\n"})


def manifest(kind: Kind, excludes: dict, defines: dict, c_defines: list) -> str:
    """The manifest; excluded files and conditions are by module."""
    targets = ['.target(name: "Outside")', '.target(name: "Base")']
    dependencies = '"Base", "Outside"'
    if kind.has_c:
        settings = ", ".join(f'.define("{name}", to: "{value}")' for name, value in c_defines)
        targets.append(f'.target(name: "CParts", cSettings: [{settings}])')
        dependencies += ', "CParts"'
    for module in kind.modules:
        files = ", ".join(f'"{name}"' for name in excludes.get(module, []))
        conditions = ", ".join(f'.define("{name}")' for name in defines.get(module, []))
        targets.append(
            f'.target(name: "{module}", dependencies: [{dependencies}], exclude: [{files}], resources: [.copy("Data")], '
            f'swiftSettings: [{conditions}])')
        targets.append(
            f'.testTarget(name: "{module}Tests", dependencies: ["{module}", "Base", "Outside"], resources: [.copy("Fixtures")])')
    listed = "".join(f"        {target},\n" for target in targets)
    return (f'// swift-tools-version: 6.0\nimport PackageDescription\n\nlet package = Package(\n    name: "Kit",\n'
            f"    targets: [\n{listed}    ]\n)\n")


def common(kind: Kind, folder: pathlib.Path, variables: list) -> dict:
    """The files that belong to no unit."""
    files = {
        ".gitignore": ".build\n*.local\n",
        ".kanmon.yml": SETTINGS + f"run:\n  environment: [ {', '.join(variables)} ]\n",
        "Sources/Outside/Outside.swift": outside(folder),
        "Sources/Base/Near.swift": NEAR,
    }
    for module in kind.modules:
        files |= {f"Sources/{module}/Data/all.txt": "", f"Tests/{module}Tests/Fixtures/all.txt": ""}
    first = kind.modules[0]
    if "xctest" in kind.libraries:
        files[f"Tests/{first}Tests/NearTests.swift"] = (
            "import Base\nimport XCTest\n\nfinal class NearTests: XCTestCase {\n    func testNear() {\n        XCTAssertEqual(near(1), 2)\n"
            "    }\n}\n")
    else:
        files[f"Tests/{first}Tests/NearTests.swift"] = (
            "import Base\nimport Testing\n\n@Test func nearIsOneMore() {\n    #expect(near(1) == 2)\n}\n")
    return files
