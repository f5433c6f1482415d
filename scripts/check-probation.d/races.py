"""The package of scripts/check-probation: thirty bugs of concurrency, whose tests seldom fail, and a twin of each that is right."""

from bug import Bug
from interleaved import CHECKED, LOST, REENTERED
from scheduled import BLOCKED, SHORT, UNORDERED

# A call to somewhere else: one of ten is slow, and only that one suspends, on the actor of whoever calls.
COMMON = """import Foundation

public func distant(isolation: isolated (any Actor)? = #isolation) async {
    if Int.random(in: 0..<10) == 0 { try? await Task.sleep(for: .milliseconds(20)) }
}
"""
BUGS = LOST + CHECKED + REENTERED + BLOCKED + UNORDERED + SHORT
MANIFEST = """// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "Races",
    targets: [
        .target(name: "Races"),
        .testTarget(name: "RacesTests", dependencies: ["Races"]),
    ]
)
"""
# They are the company of the others.
OTHERS = "import Races\nimport Testing\n\n" + "".join(
    f"@Test func calls{number}() async {{\n    await distant()\n}}\n" for number in range(6))


def type_name(bug: Bug, is_right: bool) -> str:
    return ("Right" if is_right else "Wrong") + bug.name.capitalize()


def files() -> dict:
    """The package with all subjects, wrong and right, and without a test of any."""
    sources = {
        f"Sources/Races/{type_name(bug, is_right)}.swift": bug.source(type_name(bug, is_right), is_right)
        for bug in BUGS for is_right in (False, True)}
    return sources | {
        "Package.swift": MANIFEST, ".gitignore": ".build\n", "Sources/Races/Distant.swift": COMMON, "Tests/RacesTests/OtherTests.swift": OTHERS}
