"""Failures whose cause is known, because it was planted: what is edited in the base, what in the change, and what happens outside."""

import dataclasses
import random
from typing import Callable

import spoils
import texts
from texts import Kind, Unit

# What a failure that the change has caused may be called; anything else excuses it.
ACCUSING = {"yours", "order", "unknown"}


@dataclasses.dataclass(frozen=True)
class Plant:
    """One test that fails, and why."""

    name: str
    # The row of the table.
    truth: str
    # What is right to say.
    right: set
    # Module, suite and name.
    test: tuple
    # Files of the package as it is; edits of the base, and of the change upon them: a text, a pair of old and new, or `None`.
    files: dict
    base: dict = dataclasses.field(default_factory=dict)
    change: dict = dataclasses.field(default_factory=dict)
    # Whether the change has caused the failure.
    is_regression: bool = False
    # Whether all that the change edits lies inside the bodies of functions.
    is_inside: bool = False
    # Whether it ends the process, so that other tests run in another one.
    ends_process: bool = False
    # Whether nothing else may fail in the same run.
    is_alone: bool = False
    has_base: bool = True
    # The name of its dice, how often they say that it fails, and what they say in each run of the base that is stored before.
    dice: str = ""
    rate: float = 0
    stored: tuple = ()
    # What is prepared outside: files by name, variables, and how they are spoiled while the change is tested.
    outside: dict = dataclasses.field(default_factory=dict)
    variables: dict = dataclasses.field(default_factory=dict)
    spoil: Callable | None = None
    # Files of the working copy that git ignores.
    ignored: dict = dataclasses.field(default_factory=dict)
    # The file of the home folder in which its test keeps something.
    keeps: str = ""
    # Whether the stored runs of the base map tests of Swift Testing.
    maps_base: bool = False
    # Whether the change touches, beside all else, a function that tests execute.
    touches_near: bool = True


FUNCTION = "import Base\nimport Outside\n\npublic func unitNN(_ value: Int) -> Int {\n    let doubled = helperNN(value)\n    return doubled + 1\n}\n"
HELPER = "public func helperNN(_ value: Int) -> Int {\n    let factor = 2\n    return value * factor\n}\n"
CODE, BASE = "Sources/MODULE/UnitNN.swift", "Sources/Base/HelperNN.swift"
STANDARD = {CODE: FUNCTION, BASE: HELPER}
WORSE = ("return doubled + 1", "return doubled + 2")
# The function is another, and does the same.
TOUCH = ("let doubled = helperNN(value)\n    return doubled", "let twice = helperNN(value)\n    return twice")
CRASH = ("return doubled + 1", "return [doubled][doubled]")
ROLL = ("let doubled = helperNN(value)\n", 'if chance("NN") {\n        return 0\n    }\n    let doubled = helperNN(value)\n')


def module(text: str) -> dict:
    return {CODE: text}


# Name; files; the edit; the value that a test expects, with what is done before; whether a process ends.
DIRECT = [
    ("function", STANDARD, {CODE: WORSE}, ("unitNN(3)", "7"), (), False),
    ("method", module("public struct UnitNN {\n    public var value: Int\n    public init(value: Int) {\n        self.value = value\n    }\n"
                      "    public func next() -> Int {\n        let step = 1\n        return value + step\n    }\n}\n"),
     {CODE: ("let step = 1", "let step = 2")}, ("UnitNN(value: 3).next()", "4"), (), False),
    ("property", module("public struct UnitNN {\n    public var value: Int\n    public init(value: Int) {\n        self.value = value\n    }\n"
                        "    public var part: Int {\n        let parts = 2\n        return value / parts\n    }\n}\n"),
     {CODE: ("let parts = 2", "let parts = 4")}, ("UnitNN(value: 8).part", "4"), (), False),
    ("closure", module("public func unitNN(_ values: [Int]) -> [Int] {\n    values.map { value in\n        let factor = 3\n"
                       "        return value * factor\n    }\n}\n"),
     {CODE: ("let factor = 3", "let factor = 4")}, ("unitNN([1, 2])", "[3, 6]"), (), False),
    ("extension", module("public protocol NamedNN {\n    var name: String { get }\n}\n\nextension NamedNN {\n    public func title() -> String {\n"
                         '        let ends = ["<", ">"]\n        return ends[0] + name + ends[1]\n    }\n}\n\n'
                         "public struct UnitNN: NamedNN {\n    public var name: String\n    public init(name: String) {\n        self.name = name\n"
                         "    }\n}\n"),
     {CODE: ('["<", ">"]', '["[", "]"]')}, ('UnitNN(name: "a").title()', '"<a>"'), (), False),
    ("condition", module('public func unitNN(_ value: Int) -> String {\n    if value < 0 {\n        return "minus"\n    }\n    return "plus"\n}\n'),
     {CODE: ("value < 0", "value < -5")}, ("unitNN(-1)", '"minus"'), (), False),
    ("crash", STANDARD, {CODE: CRASH}, ("unitNN(3)", "7"), (), True),
    ("error", module("public struct FaultNN: Error {}\n\npublic func unitNN(_ value: Int) throws -> Int {\n    if value > 9 {\n"
                     "        throw FaultNN()\n    }\n    return value\n}\n"),
     {CODE: ("value > 9", "value > 2")}, ("found", "3"), ("let found = try unitNN(3)",), False),
]
DEEP = "public func deepNN(_ value: Int) -> Int {\n    let factor = 2\n    return value * factor\n}\n"
CALLED = [
    ("callee", STANDARD, {BASE: ("let factor = 2", "let factor = 3")}, ("unitNN(3)", "7"), True),
    ("callee-of-callee", STANDARD | {BASE: "public func helperNN(_ value: Int) -> Int {\n    deepNN(value)\n}\n", "Sources/Base/DeepNN.swift": DEEP},
     {"Sources/Base/DeepNN.swift": ("let factor = 2", "let factor = 3")}, ("unitNN(3)", "7"), True),
    ("witness", {
        BASE: "public protocol RuleNN {\n    func allows(_ value: Int) -> Bool\n}\n\npublic struct LimitNN: RuleNN {\n    public init() {}\n"
              "    public func allows(_ value: Int) -> Bool {\n        let limit = 2\n        return value > limit\n    }\n}\n",
        CODE: "import Base\n\npublic func unitNN(_ value: Int) -> Bool {\n    let rule: any RuleNN = LimitNN()\n    return rule.allows(value)\n}\n"},
     {BASE: ("let limit = 2", "let limit = 3")}, ("unitNN(3)", "true"), True),
    ("default-argument", {
        BASE: "public func helperNN(_ value: Int, by factor: Int = 2) -> Int {\n    value * factor\n}\n",
        CODE: "import Base\n\npublic func unitNN(_ value: Int) -> Int {\n    helperNN(value) + 1\n}\n"},
     {BASE: ("factor: Int = 2", "factor: Int = 3")}, ("unitNN(3)", "7"), False),
]
# What is edited is in no function.
SILENT = [
    ("raw-value", module("public enum UnitNN: Int {\n    case good = 1\n    case bad = 2\n}\n"), {CODE: ("good = 1", "good = 7")},
     ("UnitNN.good.rawValue", "1"), False),
    ("constant", module("public let limitNN = 10\n\npublic func unitNN(_ value: Int) -> Bool {\n    value < limitNN\n}\n"),
     {CODE: ("limitNN = 10", "limitNN = 2")}, ("unitNN(5)", "true"), False),
    ("stored-property", module("public struct UnitNN {\n    public var size = 4\n    public init() {}\n}\n"), {CODE: ("size = 4", "size = 5")},
     ("UnitNN().size", "4"), False),
]
# What the base has broken, and the change breaks further: the same test fails in the same words. Name; files; the edits of the base and of
# the change; what is compared with what, with `{}` around it; whether a process ends.
FURTHER = [
    ("more-often", module("public func unitNN(_ value: Int) -> Int {\n    let limit = 10\n    return value < limit ? 0 : 1\n}\n"),
     ("let limit = 10", "let limit = 9"), ("let limit = 9", "let limit = 2"), ("result", "0"),
     "for value in 1...9 {{ let result = unitNN(value); {} }}", False),
    ("by-another-number", module("public func unitNN(_ value: Int) -> Int {\n    let price = 34_000\n    return price + value - value\n}\n"),
     ("let price = 34_000", "let price = 35_000"), ("let price = 35_000", "let price = 33_000"), ("unitNN(3)", "34000"), "{}", False),
    ("by-another-crash", module(
        "func checkNN(_ isGood: Bool) {\n    if !isGood {\n        fatalError(\"bad\")\n    }\n}\n\n"
        "public func unitNN(_ value: Int) -> Int {\n    checkNN(value > 0)\n    let doubled = value * 2\n    checkNN(doubled > 0)\n"
        "    return doubled\n}\n"),
     ("checkNN(value > 0)", "checkNN(value > 3)"),
     ("checkNN(value > 3)\n    let doubled = value * 2\n    checkNN(doubled > 0)",
      "checkNN(value > 0)\n    let doubled = value * 2\n    checkNN(doubled > 6)"), ("unitNN(3)", "6"), "{}", True),
]
IDLE = "public func idleNN(_ value: Int) -> Int {\n    let sum = value + 1\n    return sum\n}\n"
IN_C = [
    ("c-function", "#define LIMITNN 5\n", "int c_unitNN(int value) {\n    return value + LIMITNN;\n}\n",
     {"Sources/CParts/unitNN.c": ("value + LIMITNN", "value - LIMITNN")}),
    ("c-macro", "#define LIMITNN 5\n", "int c_unitNN(int value) {\n    return value + LIMITNN;\n}\n",
     {"Sources/CParts/include/limitNN.h": ("LIMITNN 5", "LIMITNN 6")}),
    ("c-define", "", "int c_unitNN(int value) {\n    return value + AMOUNT_NN;\n}\n",
     {"Package.swift": ('.define("AMOUNT_NN", to: "5")', '.define("AMOUNT_NN", to: "6")')}),
]
FILE = 'let text = try String(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Fixtures/NN.txt"), encoding: .utf8)'
READER = ("import Foundation\n\npublic func unitNN() throws -> String {\n"
          '    let place = Bundle.module.bundleURL.appendingPathComponent("Data/NN.txt")\n'
          "    return try String(contentsOf: place, encoding: .utf8)\n}\n")


class Field:
    """All that is planted in one package."""

    def __init__(self, kind: Kind, folder, dice: random.Random):
        self.kind, self.folder, self.dice = kind, folder, dice
        self.count = 0
        self.plants: list[Plant] = []
        self.excludes: dict = {}
        self.defines: dict = {}
        self.c_defines: list = []
        self.headers: list = []
        for plant in (self.regressions, self.broken, self.left, self.flakes, self.orders, self.environments, self.news, self.bases, self.hidden):
            plant()

    def files(self) -> dict:
        """The whole package before anything is planted."""
        variables = sorted({name for plant in self.plants for name in plant.variables if name != "TZ"})
        files = texts.common(self.kind, self.folder, variables)
        files["Package.swift"] = texts.manifest(self.kind, self.excludes, self.defines, self.c_defines)
        if self.kind.has_c:
            files["Sources/CParts/include/CParts.h"] = "".join(self.headers)
        for plant in self.plants:
            files |= plant.files
        return files

    def unit(self) -> Unit:
        self.count += 1
        return Unit(self.kind, self.count)

    def plant(self, unit: Unit, name: str, truth: str, right: set, files: dict, test: tuple | None = None, **more) -> None:
        """Everything is filled in with the number of the unit."""
        filled = {key: unit.filled(value) if key in ("base", "change", "dice", "outside", "variables", "ignored", "keeps") else value
                  for key, value in more.items()}
        self.plants.append(Plant(f"{self.kind.name}-{name}", truth, right, test or unit.test, unit.filled(files), **filled))

    # MARK: what the change breaks

    def regression(self, unit: Unit, name: str, files: dict, change: dict, is_inside: bool, **more) -> None:
        self.plant(unit, name, "regression", {"yours"}, files, change=change, is_regression=True, is_inside=is_inside, **more)

    def regressions(self) -> None:
        for name, files, change, values, before, ends in DIRECT:
            unit = self.unit()
            self.regression(unit, name, files | unit.tests(*before, unit.equal(*values)), change, not ends, ends_process=ends)
        for name, files, change, values, is_inside in CALLED + SILENT:
            unit = self.unit()
            self.regression(unit, name, files | unit.tests(unit.equal(*values)), change, is_inside)
        unit = self.unit()
        self.regression(unit, "fixture", {"Tests/MODULETests/Fixtures/NN.txt": "pear"} | unit.tests(FILE, unit.equal("text", '"pear"')),
                        {"Tests/MODULETests/Fixtures/NN.txt": "plum"}, False)
        unit = self.unit()
        self.regression(unit, "resource", module(READER) | {"Sources/MODULE/Data/NN.txt": "pear"} | unit.tests(
            "let text = try unitNN()", unit.equal("text", '"pear"')), {"Sources/MODULE/Data/NN.txt": "plum"}, False)
        unit = self.unit()
        self.defines.setdefault(unit.module, []).append(f"PLUS{unit.number}")
        self.regression(unit, "define", module("public func unitNN(_ value: Int) -> Int {\n#if PLUSNN\n    return value + 1\n"
                                               "#else\n    return value\n#endif\n}\n") | unit.tests(unit.equal("unitNN(3)", "4")),
                        {"Package.swift": ('.define("PLUSNN")', '.define("MINUSNN")')}, False)
        unit = self.unit()
        self.excludes.setdefault(unit.module, []).append(f"Other{unit.number}.swift")
        self.regression(unit, "exclude", {
            f"Sources/MODULE/{file}NN.swift": f"public func unitNN() -> Int {{\n    {value}\n}}\n" for file, value in (("First", 1), ("Other", 2))
        } | unit.tests(unit.equal("unitNN()", "1")), {"Package.swift": ('"OtherNN.swift"', '"FirstNN.swift"')}, False)
        for name, header, code, change in IN_C if self.kind.has_c else []:
            unit = self.unit()
            if name == "c-define":
                self.c_defines.append((f"AMOUNT_{unit.number}", "5"))
            self.headers.append(unit.filled('#include "limitNN.h"\n'))
            self.regression(unit, name, {
                "Sources/CParts/include/limitNN.h": f"#ifndef LIMIT_H_NN\n#define LIMIT_H_NN\n{header}int c_unitNN(int value);\n#endif\n",
                "Sources/CParts/unitNN.c": f'#include "limitNN.h"\n{code}',
                CODE: "import CParts\n\npublic func unitNN(_ value: Int32) -> Int32 {\n    c_unitNN(value)\n}\n",
            } | unit.tests(unit.equal("unitNN(3)", "8")), change, False)

    # MARK: what the base has broken

    def standard(self, unit: Unit) -> dict:
        return STANDARD | unit.tests(unit.equal("unitNN(3)", "7"))

    def broken(self) -> None:
        already = ("already broken", {"already-broken"})
        for name, base, change, more in [
                ("broken", {CODE: WORSE}, {}, {"is_inside": True}), ("broken-and-touched", {CODE: WORSE}, {CODE: TOUCH}, {"is_inside": True}),
                ("broken-and-stored", {CODE: WORSE}, {}, {"stored": ("",)}), ("broken-by-a-crash", {CODE: CRASH}, {}, {"ends_process": True})]:
            unit = self.unit()
            self.plant(unit, name, *already, self.standard(unit), base=base, change=change, **more)
        unit = self.unit()
        fixture = "Tests/MODULETests/Fixtures/NN.txt"
        self.plant(unit, "broken-fixture", *already, {fixture: "pear"} | unit.tests(FILE, unit.equal("text", '"pear"')), base={fixture: "plum"})
        for name, edit in (("broken-otherwise", ("return doubled + 2", "return doubled + 3")),
                           ("broken-then-crashing", ("return doubled + 2", "return [doubled][doubled]"))):
            unit = self.unit()
            self.plant(unit, name, "another failure", {"yours", "unknown"}, self.standard(unit), base={CODE: WORSE}, change={CODE: edit},
                       is_regression=True, ends_process=name == "broken-then-crashing")

        for name, files, base, change, values, around, ends in FURTHER:
            unit = self.unit()
            self.plant(unit, f"broken-{name}", "another failure", {"yours", "unknown"}, files | unit.tests(around.format(unit.equal(*values))),
                       base={CODE: base}, change={CODE: change}, is_regression=True, ends_process=ends)

    def left(self) -> None:
        """The change writes what its test cannot read, into the home folder: the base, which runs after it, fails on reading that."""
        for name, more in (("left-behind", {}), ("left-behind-and-stored", {"stored": ("",)})):
            unit = self.unit()
            keeps = f"{self.kind.name}-NN.cache"
            files = module("public func unitNN() -> Int {\n    let format = 1\n    return format\n}\n") | unit.tests(
                f'let file = variable("HOME") + "/{keeps}"',
                'let before = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""',
                'try (before + "\\(unitNN())").write(toFile: file, atomically: true, encoding: .utf8)',
                'let isOther = try String(contentsOfFile: file, encoding: .utf8).contains("2")',
                unit.equal("isOther", "false"))
            self.plant(unit, name, "left behind", {"yours", "unknown"}, files, change={CODE: ("let format = 1", "let format = 2")},
                       is_regression=True, keeps=keeps, **more)

    # MARK: what is not always so

    def flakes(self) -> None:
        for percent in (5, 20, 50):
            unit = self.unit()
            self.plant(unit, f"flaky-{percent}", "flaky", {"flaky"}, self.standard(unit) | {CODE: FUNCTION.replace(*ROLL)},
                       is_inside=True, dice="NN", rate=percent / 100)
            unit = self.unit()
            self.plant(unit, f"flaky-{percent}-and-touched", "flaky", {"flaky"}, self.standard(unit) | {CODE: FUNCTION.replace(*ROLL)},
                       change={CODE: TOUCH}, is_inside=True, dice="NN", rate=percent / 100, stored=("0", "1"))
            unit = self.unit()
            # What a test of Swift Testing executes is not recorded where tests fail, so a run of the base has to say it.
            mapped = {"stored": ("",), "maps_base": True} if unit.library == "testing" else {}
            self.plant(unit, f"flaky-{percent}-since-the-change", "new flake", {"yours"}, self.standard(unit), change={CODE: ROLL},
                       is_regression=True, is_inside=True, dice="NN", rate=percent / 100, **mapped)

    def orders(self) -> None:
        for name, truth, right, base, change in (
                ("order", "order", {"order"}, {}, ("rememberNN(0)", "rememberNN(1)")),
                ("order-of-the-base", "order of the base", {"order", "already-broken"}, ("rememberNN(0)", "rememberNN(1)"), {})):
            unit = self.unit()
            files = STANDARD | unit.suite(
                "nonisolated(unsafe) private var markNN = 0\n\nprivate func rememberNN(_ value: Int) {\n    markNN = value\n}\n\n",
                [("a", ("rememberNN(0)",)), ("middle", (unit.equal("markNN", "0"),)), ("z", ("rememberNN(0)",))])
            path = unit.filled("Tests/MODULETests/UnitNNTests.swift")
            self.plant(unit, name, truth, right, files, unit.id("UnitNNTests", "testMiddle", "middle()", is_free=False),
                       base={path: base} if base else {}, change={path: change} if change else {}, is_regression=not base)
        unit = self.unit()
        files = module("nonisolated(unsafe) private var keptNN: Int?\n\npublic func unitNN(_ value: Int) -> Int {\n    let result = value * 2\n"
                       "    keptNN = result\n    return result\n}\n")
        files |= unit.suite("", [("a", ("_ = unitNN(1)",)), ("middle", (unit.equal("unitNN(3)", "6"),)), ("z", ("_ = unitNN(2)",))])
        self.plant(unit, "order-by-a-cache", "order", {"order"}, files, unit.id("UnitNNTests", "testMiddle", "middle()", is_free=False),
                   change={CODE: ("let result = value * 2", "let result = keptNN ?? value * 2")}, is_regression=True)

    # MARK: what lies outside

    def environments(self) -> None:
        port = spoils.free_port(self.dice)
        for name, check, is_touched, more in [
                ("port", ("canListen(on: %d)" % port, "true"), True, {"spoil": spoils.taken(port)}),
                ("variable", ('variable("KIT_TOKEN_NN")', '"open"'), False,
                 {"variables": {"KIT_TOKEN_NN": "open"}, "spoil": spoils.without_variable}),
                ("time-zone", ("hourOfEpoch()", "0"), False, {"variables": {"TZ": "UTC0"}, "spoil": spoils.elsewhere}),
                ("service", ('service("NN.txt")', '"up"'), True, {"outside": {"NN.txt": "up"}, "spoil": spoils.without_file}),
                ("clock", ("isBefore(@EXPIRY@)", "true"), False, {"spoil": spoils.later}),
                ("disk", None, False, {"outside": {"NN.log": ""}, "spoil": spoils.full_disk})]:
            unit = self.unit()
            lines = [unit.equal(*check) if check else 'try log(to: "NN.log")']
            if is_touched:
                lines.insert(0, unit.equal("unitNN(3)", "7"))
            self.plant(unit, f"environment-{name}", "environment", {"environment"}, STANDARD | unit.tests(*lines),
                       change={CODE: TOUCH} if is_touched else {}, stored=("",), **more)

    def hidden(self) -> None:
        if self.kind.judges_commits:
            return
        unit = self.unit()
        place = "URL(fileURLWithPath: #filePath)" + ".deletingLastPathComponent()" * 3
        # What any test executes may reach it by a file, so nothing executes what is changed.
        idle = "Sources/Base/IdleNN.swift"
        self.plant(unit, "ignored-file", "hidden input", {"not-reached"}, STANDARD | {idle: IDLE} | unit.tests(
            f'let place = {place}.appendingPathComponent("NN.local")', unit.equal("FileManager.default.fileExists(atPath: place.path)", "false")),
            change={idle: ("let sum = value + 1", "let sum = value + 2")}, is_inside=True, is_alone=True, touches_near=False, stored=("",),
            maps_base=True, ignored={"NN.local": ""})

    # MARK: bases that say nothing

    def news(self) -> None:
        new = ("new", {"new"})
        unit = self.unit()
        self.plant(unit, "new-file", *new, self.standard(unit), unit.id("NewNNTests", "testNewNN", "newNN()"),
                   change=unit.tests(unit.equal("unitNN(3)", "8"), name="NewNN", xctest="testNewNN", testing="newNN"))
        unit = self.unit()
        function = unit.function("testMoreNN", "moreNN", (unit.equal("unitNN(3)", "8"),), "    " if unit.library == "xctest" else "")
        mark = "    func testUnitNN()" if unit.library == "xctest" else "@Test func unitNNWorks()"
        self.plant(unit, "new-test-of-a-file", *new, self.standard(unit), unit.id("UnitNNTests", "testMoreNN", "moreNN()"),
                   change={"Tests/MODULETests/UnitNNTests.swift": (mark, f"{function}\n{mark}")})
        unit = self.unit()
        self.plant(unit, "new-test-of-new-code", *new, {}, change=self.standard(unit) | {CODE: FUNCTION.replace(*WORSE)})

    def bases(self) -> None:
        """A flake of the base is as unknown as what the base would say of it."""
        broken = "Sources/MODULE/BrokenNN.swift"
        for name, files, change, right, more in [
                ("base-unbuilt", {}, {CODE: WORSE}, {"yours", "unknown"}, {"is_regression": True}),
                ("base-unbuilt-flaky", {CODE: FUNCTION.replace(*ROLL)}, {}, {"flaky", "unknown"}, {"dice": "NN", "rate": 0.2})]:
            unit = self.unit()
            self.plant(unit, name, "base unbuilt", right, self.standard(unit) | files, base={broken: "public func (\n"},
                       change=change | {broken: None}, is_alone=True, **more)
        for name, files, change, right, more in [
                ("no-base", {}, {CODE: WORSE}, {"new", "unknown"}, {}),
                ("no-base-flaky", {CODE: FUNCTION.replace(*ROLL)}, {}, {"flaky", "unknown"}, {"dice": "NN", "rate": 0.2})]:
            unit = self.unit()
            self.plant(unit, name, "no base", right, self.standard(unit) | files, change=change, is_alone=True, has_base=False, **more)
        unit = self.unit()
        self.plant(unit, "other-product", "other product", {"yours", "unknown"}, self.standard(unit),
                   change={CODE: WORSE, "Package.swift": ('name: "Kit"', 'name: "Kit2"')}, is_regression=True, is_alone=True)
