"""Small packages, and edits of them that a build has to notice."""

import os
import shutil
import subprocess
import time
from typing import Callable, NamedTuple

import surroundings

SETTINGS = "coverage:\n  modules:\n    default: 0\n"
HEAD = "// swift-tools-version: 6.0\nimport PackageDescription\n"


class Case(NamedTuple):
    name: str
    files: dict
    edit: Callable
    # What an empty cache says before and after the edit.
    first: int = 0
    status: int = 1
    # What else is done before.
    setup: Callable = lambda world: None

    def write(self, world) -> None:
        surroundings.write(world.package, {".kanmon.yml": SETTINGS, ".gitignore": ".build\n"} | self.files)
        self.setup(world)


def test(*lines: str, imports: str = "import App") -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"import XCTest\n{imports}\nfinal class CodeTests: XCTestCase {{\n    func testCode() throws {{\n{body}    }}\n}}\n"


def manifest(*targets: str, before: str = "", dependencies: str = "", name: str = "Kit") -> str:
    return f"{HEAD}{before}let package = Package(name: \"{name}\",{dependencies} targets: [{', '.join(targets)}])\n"


def replace(name: str, old: str, new: str) -> Callable:
    """Edits one file, as an editor does."""
    def edit(world) -> None:
        path = world.repository / name
        text = path.read_text()
        assert old in text, (name, old)
        path.write_text(text.replace(old, new))
    return edit


def disguised(name: str, old: str, new: str, how: str = "in place") -> Callable:
    """Edits one file so that its size and modification time stay as they were."""
    assert len(old) == len(new)

    def edit(world) -> None:
        path = world.repository / name
        info = path.stat()
        data = path.read_text().replace(old, new)
        assert data != path.read_text()
        if how == "new inode":
            other = path.with_name(path.name + ".new")
            other.write_text(data)
            os.utime(other, ns=(info.st_atime_ns, info.st_mtime_ns))
            other.rename(path)
        else:
            path.write_text(data)
            os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))
    return edit


def write(**files) -> Callable:
    return lambda world: surroundings.write(world.repository, {name.replace("__", "/"): text for name, text in files.items()})


def puts(files: dict) -> Callable:
    return lambda world: surroundings.write(world.repository, files)


# MARK: modules that reach each other through others

LAYERS = manifest(
    '.target(name: "Lib")', '.target(name: "Mid", dependencies: ["Lib"])', '.target(name: "App", dependencies: ["Mid"])',
    '.testTarget(name: "AppTests", dependencies: ["App"])')


def layers(name: str, lib: str, old: str, new: str, *lines: str, app: str = "", mid: str = "", status: int = 1,
           reexported: bool = True, more: dict = {}) -> Case:
    """An edit of `Lib`, which `App` imports only through `Mid`."""
    files = {
        "Package.swift": LAYERS,
        "Sources/Lib/Lib.swift": lib + "\npublic func unrelated() -> Int { 1 }\n",
        "Sources/Mid/Mid.swift": f"{'@_exported ' if reexported else ''}import Lib\n{mid}\npublic func mid() -> Int {{ 3 }}\n",
        "Sources/App/App.swift": f"import Mid\n{app}\npublic func app() -> Int {{ mid() }}\n",
        "Sources/App/Other.swift": "public func other() -> Int { 1 }\n",
        "Tests/AppTests/CodeTests.swift": test(*lines, imports="import App\nimport Mid"),
    }
    return Case(name, files | more, replace("Sources/Lib/Lib.swift", old, new), status=status)


BOX = "public struct Box {\n    public var first = 1\n    public var second = 2\n    public init() {}\n}"
KEEPS = "public struct Pair { public var box = Box(); public var tail = 9; public init() {} }"
SIZE = "XCTAssertEqual(MemoryLayout<Pair>.size, 24)"

def files_of_a_module(name: str, text: str, old: str, new: str, before: str, status: int = 1) -> Case:
    """An edit of a file that is compiled again, and of which another one of its module knows something."""
    return Case(name, {
        "Package.swift": manifest('.target(name: "App")', '.testTarget(name: "AppTests", dependencies: ["App"])'),
        "Sources/App/Held.swift": text + "\n", "Sources/App/App.swift": "public func size() -> Int { MemoryLayout<Held>.size }\n",
        "Tests/AppTests/CodeTests.swift": test(f"XCTAssertEqual(size(), {before})"),
    }, replace("Sources/App/Held.swift", old, new), status=status)


REACH = [
    files_of_a_module("private-type-of-a-file", "private struct Inner { var x: Int8 = 0 }\nstruct Held { private var inner = Inner() }", "Int8", "Int64", "1"),
    files_of_a_module("private-alias-of-a-file", "private typealias Number = Int8\nstruct Held { private var inner: Number = 0 }", "Int8", "Int64", "1"),
    files_of_a_module("private-type-of-a-type", "struct Held { private struct Inner { var x: Int8 = 0 }\n    private var inner = Inner() }", "Int8", "Int64", "1"),
    files_of_a_module("private-constant-of-a-file", "private let start: Int8 = 0\nstruct Held { private var inner = start }", "Int8", "Int64", "1"),
    files_of_a_module("private-wrapper-of-a-file", "@propertyWrapper private struct Wrapper { var wrappedValue: Int8 }\nstruct Held { @Wrapper private var inner: Int8 = 0 }",
                      "{ var wrappedValue: Int8 }", "{ var wrappedValue: Int8; var more: Int64 = 1; init(wrappedValue: Int8) { self.wrappedValue = wrappedValue } }", "1"),
    layers("private-stored-property", BOX, "    public var second", "    private var hidden = 7\n    public var second", SIZE, app=KEEPS),
    layers("private-stored-property-values", BOX, "    public var second", "    private var hidden = 7\n    public var second",
           "XCTAssertEqual(Pair().tail, 9)", "XCTAssertEqual(Box().second, 2)", app=KEEPS, status=0),
    layers("frozen-field", "@frozen " + BOX, "    public var second", "    public var third = 3\n    public var second", SIZE, app=KEEPS),
    layers("field-of-another-type", BOX, "second = 2", "second: Int8 = 2", "XCTAssertEqual(MemoryLayout<Pair>.size, 18)", app=KEEPS.replace("box = Box()", "box = Box(); public var more: Int8 = 1").replace("tail = 9", "tail: Int8 = 9")),
    layers("default-argument", "public func text(_ text: String = \"a\") -> String { text }", '"a"', '"b"', 'XCTAssertEqual(appText(), "a")',
           app="public func appText() -> String { text() }"),
    layers("transparent-body", "@_transparent public func value() -> Int { 1 }", "{ 1 }", "{ 2 }", "XCTAssertEqual(appValue(), 1)",
           app="public func appValue() -> Int { value() }"),
    layers("inlinable-body", "@inlinable public func value() -> Int { 1 }", "{ 1 }", "{ 2 }", "XCTAssertEqual(appValue(), 1)",
           app="public func appValue() -> Int { value() }"),
    layers("always-inlined-body", "@inlinable @inline(__always) public func value() -> Int { 1 }", "{ 1 }", "{ 2 }",
           "XCTAssertEqual(appValue(), 1)", app="public func appValue() -> Int { value() }"),
    layers("emitted-into-clients", "@_alwaysEmitIntoClient public func value() -> Int { 1 }", "{ 1 }", "{ 2 }",
           "XCTAssertEqual(appValue(), 1)", app="public func appValue() -> Int { value() }"),
    layers("ordinary-body", "public func value() -> Int { 1 }", "{ 1 }", "{ 2 }", "XCTAssertEqual(appValue(), 1)",
           app="public func appValue() -> Int { value() }"),
    layers("case-of-an-enumeration", "public enum Kind: Equatable { case one, two }", "one, two", "zero(Int), one, two",
           "XCTAssertEqual(MemoryLayout<Kept>.size, 2)", app="public struct Kept { public var kind = Kind.two; public var tail: Int8 = 1; public init() {} }"),
    layers("order-of-cases", "public enum Kind: Int { case one, two }", "one, two", "two, one", "XCTAssertEqual(raw(), 1)",
           app="public func raw() -> Int { Kind.two.rawValue }"),
    layers("order-of-methods", "open class Base { public init() {}\n    open func one() -> Int { 1 }\n    open func two() -> Int { 2 } }",
           "    open func one() -> Int { 1 }\n    open func two() -> Int { 2 }", "    open func two() -> Int { 2 }\n    open func one() -> Int { 1 }",
           "XCTAssertEqual(Derived().both(), 12)", status=0,
           app="open class Derived: Base { public override init() { super.init() }\n    open func both() -> Int { one() * 10 + two() } }"),
    layers("method-before-others", "open class Base { public init() {}\n    open func one() -> Int { 1 } }", "    open func one()",
           "    open func zero() -> Int { 0 }\n    open func one()", "XCTAssertEqual(call(Derived()), 1)", status=0,
           app="open class Derived: Base { public override init() { super.init() }\n    open override func one() -> Int { super.one() } }\npublic func call(_ base: Base) -> Int { base.one() }"),
    layers("property-of-a-base-class", "open class Base { public init() {}\n    public var first = 1 }", "public var first = 1",
           "private var hidden = 7\n    public var first = 1", "XCTAssertEqual(Derived().sum(), 3)", status=0,
           app="public final class Derived: Base { public var second = 2\n    public override init() { super.init() }\n    public func sum() -> Int { first + second } }"),
    layers("requirement-of-a-protocol", "public protocol Named { func name() -> String }\nextension Named { public func title() -> String { \"lib\" } }",
           "{ func name() -> String }", "{ func title() -> String; func name() -> String }", 'XCTAssertEqual(title(of: One()), "lib")',
           app="public struct One: Named { public init() {}\n    public func name() -> String { \"one\" }\n    public func title() -> String { \"app\" } }\npublic func title(of named: some Named) -> String { named.title() }"),
    layers("underlying-type", "public protocol Q { var v: Int { get } }\nstruct Q1: Q { var v: Int { 1 } }\nstruct Q2: Q { var a = 1, b = 2; var v: Int { b } }\npublic func make() -> some Q { Q1() }",
           "{ Q1() }", "{ Q2() }", "XCTAssertEqual(made(), 1)", app="public func made() -> Int { make().v }"),
    layers("alias-of-a-type", "public typealias Number = Int32", "Int32", "Int64", "XCTAssertEqual(size(), 4)",
           app="public func size() -> Int { MemoryLayout<Number>.size }"),
    layers("better-overload", "public func pick(_ value: Any) -> Int { 1 }", "public func pick", "public func pick(_ value: Int) -> Int { 2 }\npublic func pick",
           "XCTAssertEqual(picked(), 1)", app="public func picked() -> Int { pick(5) }"),
    layers("conditional-conformance", "public struct Holder<T> { public init() {} }\npublic protocol Marked {}", "public protocol Marked {}",
           "public protocol Marked {}\nextension Holder: Marked where T: Equatable {}", "XCTAssertFalse(isMarked(Holder<Int>()))",
           app="public func isMarked(_ value: Any) -> Bool { value is Marked }"),
    layers("precedence", "precedencegroup P { higherThan: AdditionPrecedence }\ninfix operator <+>: P\npublic func <+> (a: Int, b: Int) -> Int { a * b }",
           "higherThan: AdditionPrecedence", "lowerThan: AdditionPrecedence", "XCTAssertEqual(sum(), 7)", app="public func sum() -> Int { 1 + 2 <+> 3 }"),
    layers("property-wrapper", "@propertyWrapper public struct Kept { public var wrappedValue: Int\n    @inlinable public init(wrappedValue: Int) { self.wrappedValue = wrappedValue } }",
           "self.wrappedValue = wrappedValue", "self.wrappedValue = wrappedValue + 1", "XCTAssertEqual(Wrapped().x, 1)",
           app="public struct Wrapped { @Kept public var x = 1; public init() {} }"),
    layers("computed-becomes-stored", "public struct Value { public init() {}\n    public var a: Int { 1 } }", "public var a: Int { 1 }", "public var a = 2",
           "XCTAssertEqual(holder(), 1)", app="struct Holder { var value = Value(); var tail = 5 }\npublic func holder() -> Int { Holder().value.a }"),
    layers("not-reexported", BOX, "    public var second", "    private var hidden = 7\n    public var second", SIZE,
           app="public struct Pair { public var box = hold(); public var tail = 9; public init() {} }",
           mid="public typealias Held = Box\npublic func hold() -> Held { Box() }", reexported=False),
    layers("generic-inlinable", "public struct G<T> { public var t: T\n    @inlinable public init(_ t: T) { self.t = t }\n    @inlinable public func twice() -> [T] { [t, t] } }",
           "[t, t]", "[t, t, t]", "XCTAssertEqual(count(), 2)", app="public func count() -> Int { G(1).twice().count }"),
    layers("throws", "public func risky() throws -> Int { 1 }", "throws ->", "->", "XCTAssertEqual(try risk(), 1)", status=0,
           app="public func risk() throws -> Int { try risky() }"),
    layers("gone-function", "public func value() -> Int { 1 }", "public func value", "func value", "XCTAssertEqual(appValue(), 1)", status=3,
           app="public func appValue() -> Int { value() }"),
    layers("case-that-no-switch-has", "public enum Kind { case one }", "case one", "case one, two", "XCTAssertEqual(numberOfKind(), 1)", status=3,
           app="public func numberOfKind(_ kind: Kind = .one) -> Int { switch kind { case .one: 1 } }"),
]

# MARK: files with the times of others

PLAIN = {
    "Package.swift": manifest('.target(name: "App")', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/App/App.swift": "public func value() -> Int { 1 }\n",
    "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(value(), 1)"),
}
LAYOUT = "public struct Box { public var a: Int64 = 1; public init() {} }\n"
SHARED = {
    "Package.swift": manifest('.target(name: "App")', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/App/Box.swift": LAYOUT,
    "Sources/App/App.swift": "public struct Held { var box = Box(); var tail: Int8 = 1; public init() {} }\npublic func size() -> Int { MemoryLayout<Held>.size }\n",
    "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(size(), 9)"),
}
C = {
    "Package.swift": manifest('.target(name: "CVals", exclude: ["include/values.x"])', '.target(name: "App", dependencies: ["CVals"])',
                              '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/CVals/include/c.h": '#include "values.x"\nstatic inline int limit_of(void) { return LIMIT; }\nint compiled(void);\n',
    "Sources/CVals/include/values.x": "#define LIMIT 1\n",
    "Sources/CVals/c.c": '#include "c.h"\nint compiled(void) { return 1; }\n',
    "Sources/App/App.swift": "import CVals\npublic func limit() -> Int { Int(limit_of()) }\npublic func code() -> Int { Int(compiled()) }\n",
    "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(limit(), 1)", "XCTAssertEqual(code(), 1)"),
}
RESOURCE = {
    "Package.swift": manifest('.target(name: "App", resources: [.process("a.txt"), .copy("Data")])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/App/App.swift": 'import Foundation\nfunc text(_ name: String) -> String { try! String(contentsOf: Bundle.module.bundleURL.appendingPathComponent(name), encoding: .utf8) }\n'
                             'public func processed() -> String { text("a.txt") }\npublic func copied() -> String { text("Data/b.txt") }\n',
    "Sources/App/a.txt": "1", "Sources/App/Data/b.txt": "1",
    "Tests/AppTests/CodeTests.swift": test('XCTAssertEqual(processed(), "1")', 'XCTAssertEqual(copied(), "1")'),
}


def older(world) -> None:
    path = world.repository / "Sources/App/App.swift"
    path.write_text(path.read_text().replace("{ 1 }", "{ 2 }"))
    os.utime(path, (1_500_000_000, 1_500_000_000))


def links(world) -> None:
    """A source that is a link to one of two files with the same times."""
    for name, number in (("one", 1), ("two", 2)):
        path = world.repository / name / "App.swift"
        surroundings.write(world.repository, {f"{name}/App.swift": f"public func value() -> Int {{ {number} }}\n"})
        os.utime(path, (1_600_000_000, 1_600_000_000))
    source = world.repository / "Sources/App/App.swift"
    source.unlink()
    source.symlink_to("../../one/App.swift")


def retarget(world) -> None:
    source = world.repository / "Sources/App/App.swift"
    source.unlink()
    source.symlink_to("../../two/App.swift")


def folder_links(world) -> None:
    links(world)
    shutil.rmtree(world.repository / "Sources/App")
    (world.repository / "Sources/App").symlink_to("../one")


def retarget_folder(world) -> None:
    (world.repository / "Sources/App").unlink()
    (world.repository / "Sources/App").symlink_to("../two")


def unreadable_name(world) -> None:
    """A file whose name is no text, so that nobody can say which files there are."""
    with open(os.fsencode(world.package) + b"/caf\xe9.txt", "wb"):
        pass


def through_failure(world) -> None:
    """Two contents with the same time, and between them a build that fails elsewhere."""
    path = world.repository / "Sources/App/App.swift"
    info = path.stat()
    path.write_text("public func value() -> Int { 5 }\n")
    surroundings.write(world.repository, {"Sources/App/Broken.swift": "let broken: Int = \"\"\n"})
    world.run()
    (world.repository / "Sources/App/Broken.swift").unlink()
    path.write_text("public func value() -> Int { 2 }\n")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


TIMES = [
    Case("same-size-and-time", PLAIN, disguised("Sources/App/App.swift", "{ 1 }", "{ 2 }")),
    Case("same-size-and-time-new-inode", PLAIN, disguised("Sources/App/App.swift", "{ 1 }", "{ 2 }", "new inode")),
    Case("same-size-and-time-of-a-layout", SHARED, disguised("Sources/App/Box.swift", "Int64", "Int32")),
    Case("same-size-and-time-of-a-test", PLAIN, disguised("Tests/AppTests/CodeTests.swift", ", 1)", ", 2)")),
    Case("same-size-and-time-of-a-header", C, disguised("Sources/CVals/include/c.h", "return LIMIT;", "return 2;    ")),
    Case("same-size-and-time-of-c", C, disguised("Sources/CVals/c.c", "return 1;", "return 2;")),
    Case("same-size-and-time-of-a-resource", RESOURCE, disguised("Sources/App/a.txt", "1", "2")),
    Case("same-size-and-time-of-a-resource-in-a-folder", RESOURCE, disguised("Sources/App/Data/b.txt", "1", "2")),
    Case("resource-beside-a-name-that-is-no-text", RESOURCE, disguised("Sources/App/a.txt", "1", "2"), setup=unreadable_name),
    Case("resource-in-a-folder", RESOURCE, replace("Sources/App/Data/b.txt", "1", "2")),
    Case("an-older-time", PLAIN, older),
    Case("link-to-another-file", PLAIN, retarget, setup=links),
    Case("link-to-another-folder", PLAIN, retarget_folder, setup=folder_links),
    Case("same-time-after-a-failed-build", PLAIN, through_failure),
]

# MARK: manifests that read

READS = """import Foundation
let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
let names = (try? String(contentsOf: here.appendingPathComponent("tests.txt"), encoding: .utf8))?.split(separator: "\\n").map(String.init) ?? []
"""
LOOKS = """import Foundation
let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
let names = FileManager.default.fileExists(atPath: here.appendingPathComponent("extra").path) ? ["MoreTests"] : []
"""
DEFINES = """import Foundation
let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
let word = (try? String(contentsOf: here.appendingPathComponent("word.txt"), encoding: .utf8)) ?? ""
"""
FAILS = "import XCTest\nfinal class MoreTests: XCTestCase { func testMore() { XCTFail(\"broken\") } }\n"


def reading(before: str) -> dict:
    text = f"{HEAD}{before}let package = Package(name: \"Kit\", targets: [.target(name: \"App\"), .testTarget(name: \"AppTests\", dependencies: [\"App\"])] + names.map {{ .testTarget(name: $0) }})\n"
    return PLAIN | {"Package.swift": text, "Tests/MoreTests/MoreTests.swift": FAILS, "tests.txt": "\n"}


def local_files(reads: str) -> dict:
    return PLAIN | {
        "Package.swift": manifest('.target(name: "App", dependencies: ["Local"])', '.testTarget(name: "AppTests", dependencies: ["App"])',
                                  dependencies=' dependencies: [.package(path: "Local")],'),
        "Sources/App/App.swift": "import Local\npublic func value() -> Int { local() }\n",
        "Local/Package.swift": f"{HEAD}{reads}let package = Package(name: \"Local\", products: [.library(name: \"Local\", targets: [\"Local\"])], targets: [.target(name: \"Local\", swiftSettings: word.isEmpty ? [] : [.define(\"TWO\")])])\n",
        "Local/Sources/Local/Local.swift": "public func local() -> Int {\n#if TWO\n    2\n#else\n    1\n#endif\n}\n",
    }


MANIFESTS = [
    Case("manifest-reads-a-list", reading(READS), puts({"tests.txt": "MoreTests\n"})),
    Case("manifest-looks-for-a-folder", reading(LOOKS), puts({"extra/.keep": ""})),
    Case("manifest-reads-a-define", PLAIN | {
        "Package.swift": manifest('.target(name: "App", swiftSettings: word.isEmpty ? [] : [.define("TWO")])', '.testTarget(name: "AppTests", dependencies: ["App"])', before=DEFINES),
        "Sources/App/App.swift": "public func value() -> Int {\n#if TWO\n    2\n#else\n    1\n#endif\n}\n"}, puts({"word.txt": "x"})),
    Case("local-manifest-reads-a-define", local_files(DEFINES), puts({"Local/word.txt": "x"})),
    Case("manifest-that-cannot-be-evaluated-any-more", reading(READS.replace("(try? ", "(try! ").replace("?.split", ".split").replace(" ?? []", "")),
         lambda world: (world.repository / "tests.txt").unlink(), status=3),
]

# MARK: C and linkers

EMBED = C | {
    "Sources/CVals/c.c": '#include "c.h"\nstatic const unsigned char blob[] = {\n#embed "data.bin"\n};\nint compiled(void) { return blob[0] - 48; }\n',
    "Sources/CVals/data.bin": "1",
    "Package.swift": C["Package.swift"].replace('["include/values.x"]', '["include/values.x", "data.bin"], cSettings: [.unsafeFlags(["-std=c23"])]'),
}
INCBIN = C | {
    "Sources/CVals/c.c": '#include "c.h"\nextern const char blob[];\n__asm__(".section .rodata\\n.global blob\\nblob:\\n.incbin \\"assets/data.bin\\"\\n.byte 0\\n.previous\\n");\n'
                         'int compiled(void) { return blob[0] - 48; }\n',
    "assets/data.bin": "1",
}
INCBIN_OF_A_SOURCE = C | {
    "Sources/CVals/c.c": INCBIN["Sources/CVals/c.c"].replace("assets/data.bin", "Sources/App/Number.swift").replace("blob[0]", "blob[2]"),
    "Sources/App/Number.swift": "//1\n",
}
ASKS = C | {"Sources/CVals/include/c.h": '#if __has_include("../../../flags/two.h")\n#define LIMIT 2\n#else\n#define LIMIT 1\n#endif\nstatic inline int limit_of(void) { return LIMIT; }\nint compiled(void);\n'}
OUTSIDE = {f"pkg/{name}": text for name, text in C.items()} | {
    "pkg/Sources/CVals/include/c.h": '#include "../../../../common/values.h"\nstatic inline int limit_of(void) { return LIMIT; }\nint compiled(void);\n',
    "common/values.h": "#define LIMIT 1\n", "pkg/.kanmon.yml": SETTINGS,
}
LIBRARY = PLAIN | {
    "Package.swift": manifest('.systemLibrary(name: "CPre")', '.target(name: "App", dependencies: ["CPre"])',
                              '.testTarget(name: "AppTests", dependencies: ["App"], linkerSettings: [.unsafeFlags(["-Lvendor"])])'),
    "Sources/CPre/module.modulemap": 'module CPre { header "pre.h"\n link "pre"\n export * }\n', "Sources/CPre/pre.h": "int pre(void);\n",
    "Sources/App/App.swift": "import CPre\npublic func value() -> Int { Int(pre()) }\n",
}
REEXPORTED = C | {
    "Package.swift": manifest('.target(name: "CVals", exclude: ["include/values.x"])', '.target(name: "Mid", dependencies: ["CVals"])', '.target(name: "App", dependencies: ["Mid"])',
                              '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/Mid/Mid.swift": "@_exported import CVals\n",
    "Sources/App/App.swift": C["Sources/App/App.swift"].replace("import CVals", "import Mid"),
}


def archive(number: int) -> Callable:
    def edit(world) -> None:
        vendor = world.repository / "vendor"
        vendor.mkdir(exist_ok=True)
        (world.folder / "pre.c").write_text(f"int pre(void) {{ return {number}; }}\n")
        subprocess.run(["clang", "-c", "-fPIC", "-o", world.folder / "pre.o", world.folder / "pre.c"], check=True)
        (vendor / "libpre.a").unlink(missing_ok=True)
        subprocess.run(["ar", "rcsD", vendor / "libpre.a", world.folder / "pre.o"], check=True)
    return edit


def below(world) -> None:
    world.package = world.repository / "pkg"
    for name in (".kanmon.yml", ".gitignore"):
        (world.repository / name).unlink(missing_ok=True)


CODE_OF_C = [
    Case("header-with-an-odd-suffix", C, replace("Sources/CVals/include/values.x", "LIMIT 1", "LIMIT 2")),
    Case("header-through-a-reexport", REEXPORTED, replace("Sources/CVals/include/values.x", "LIMIT 1", "LIMIT 2")),
    Case("struct-of-a-header", C | {
        "Sources/CVals/include/c.h": "struct s { int a; };\nint compiled(void);\nstatic inline int limit_of(void) { return 1; }\n", "Sources/CVals/c.c": '#include "c.h"\nint compiled(void) { return sizeof(struct s) / 4; }\n',
        "Sources/App/App.swift": "import CVals\npublic func limit() -> Int { MemoryLayout<s>.size / 4 }\npublic func code() -> Int { Int(compiled()) }\n"},
         replace("Sources/CVals/include/c.h", "int a;", "int a; int b;")),
    Case("embed", EMBED, puts({"Sources/CVals/data.bin": "2"})),
    Case("incbin", INCBIN, puts({"assets/data.bin": "2"})),
    Case("header-that-is-asked-for", ASKS, puts({"flags/two.h": "\n"})),
    Case("header-before-another", C | {"Sources/CVals/include/c.h": "#include <kanmon_values.h>\nstatic inline int limit_of(void) { return LIMIT; }\nint compiled(void);\n",
                                       "Sources/CVals/deep/kanmon_values.h": "#define LIMIT 1\n", "Sources/CVals/first/.keep": "",
                                       "Package.swift": manifest('.target(name: "CVals", exclude: ["include/values.x"], cSettings: [.headerSearchPath("first"), .headerSearchPath("deep")])', '.target(name: "App", dependencies: ["CVals"], cSettings: [.unsafeFlags(["-ISources/CVals/first", "-ISources/CVals/deep"])], swiftSettings: [.unsafeFlags(["-Xcc", "-ISources/CVals/first", "-Xcc", "-ISources/CVals/deep"])])',
                                                                 '.testTarget(name: "AppTests", dependencies: ["App"], swiftSettings: [.unsafeFlags(["-Xcc", "-ISources/CVals/first", "-Xcc", "-ISources/CVals/deep"])])')},
         puts({"Sources/CVals/first/kanmon_values.h": "#define LIMIT 2\n"})),
    Case("notes-for-the-importer", C | {"Sources/CVals/include/module.modulemap": "module CVals { header \"c.h\" export * }\n"},
         puts({"Sources/CVals/include/CVals.apinotes": "Name: CVals\nFunctions:\n- Name: limit_of\n  SwiftName: renamed()\n"}), status=3),
    Case("archive", LIBRARY, archive(2), setup=archive(1)),
    Case("header-outside-of-the-package", OUTSIDE, replace("common/values.h", "LIMIT 1", "LIMIT 2"), setup=below),
]

# MARK: what earlier builds leave

UNDECLARED = {
    "Package.swift": manifest('.target(name: "Lib")', '.target(name: "App", dependencies: ["Lib"])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/Lib/Lib.swift": "public func lib() -> Int { 1 }\n",
    "Sources/App/App.swift": "import Lib\npublic func value() -> Int { lib() }\n",
    "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(value(), 1)"),
}
# `App` is made of `Lib`, so a clean build never has it when it compiles `Lib`.
ASKS_FOR_A_MODULE = UNDECLARED | {
    "Sources/Lib/Lib.swift": "#if canImport(App)\npublic func lib() -> Int { 2 }\n#else\npublic func lib() -> Int { 1 }\n#endif\n",
}
GROWS = UNDECLARED | {
    "Package.swift": UNDECLARED["Package.swift"].replace(', dependencies: ["Lib"]', "", 1),
    "Sources/App/App.swift": "#if canImport(Lib)\nimport Lib\npublic func value() -> Int { lib() + 1 }\n#else\npublic func value() -> Int { 1 }\n#endif\n",
}


def swift_becomes_c(world) -> None:
    (world.repository / "Sources/Lib/Lib.swift").unlink()
    surroundings.write(world.repository, {"Sources/Lib/include/Lib.h": "int lib(void);\n", "Sources/Lib/lib.c": "#include <Lib.h>\nint lib(void) { return 2; }\n",
                                          "Sources/App/App.swift": "import Lib\npublic func value() -> Int { Int(lib()) }\n"})


def c_becomes_swift(world) -> None:
    shutil.rmtree(world.repository / "Sources/CVals")
    surroundings.write(world.repository, {
        "Package.swift": C["Package.swift"].replace(', exclude: ["include/values.x"]', ""),
        "Sources/CVals/Vals.swift": "public func limit_of() -> Int32 { 2 }\npublic func compiled() -> Int32 { 1 }\n"})


def spoil(kind: str) -> Callable:
    """Has something else than a build write among the products."""
    def edit(world) -> None:
        for build in world.builds():
            if kind == "object":
                compiled = build / "App.build" / "App.swift.o"
                text = world.repository / "Sources/App/App.swift"
                old = text.read_text()
                kept = compiled.read_bytes()
                text.write_text(old.replace("{ 1 }", "{ 2 }"))
                world.run()
                wrong = compiled.read_bytes()
                text.write_text(old)
                world.run()
                assert wrong != kept
                compiled.write_bytes(wrong)
            if kind == "module":
                (build / "Modules" / "Extra.swiftmodule").write_bytes((build / "Modules" / "App.swiftmodule").read_bytes())
            if kind == "resource":
                for path in build.glob("*.resources/a.txt"):
                    path.chmod(0o644)
                    path.write_text("2")
    return edit


def kill_build(world) -> None:
    """Kills Kanmon while it builds an edit."""
    replace("Sources/App/App.swift", "import Foundation", "import Foundation\n// An edit.")(world)
    record = next((world.cache / "kanmon" / "build").glob("*/kanmon-build.json"))
    written = record.stat().st_mtime_ns
    with subprocess.Popen([world.binary, "run", "--package-path", world.package], env=world.environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        # It is written when a build begins, and again when it has ended.
        while record.stat().st_mtime_ns == written:
            assert child.poll() is None
            time.sleep(0.01)
        child.kill()
    # What it had started ends with it.
    time.sleep(2)


def moved_dependency(lib: str, new: str, app: str, line: str) -> tuple:
    """A dependency from a repository, whose next version is taken."""
    def publish(world, text: str, tag: str) -> None:
        other = world.folder / "other"
        first = not other.exists()
        surroundings.write(other, {
            "Package.swift": f"{HEAD}let package = Package(name: \"other\", products: [.library(name: \"Other\", targets: [\"Other\"])], targets: [.target(name: \"OtherBase\"), .target(name: \"Other\", dependencies: [\"OtherBase\"])])\n",
            "Sources/OtherBase/Base.swift": text, "Sources/Other/Other.swift": "@_exported import OtherBase\n"})
        if first:
            world.git("init", "--quiet", "--initial-branch", "main", at=other)
        world.git("add", "--all", at=other)
        world.git("commit", "--quiet", "--message", tag, at=other)
        world.git("tag", tag, at=other)

    def setup(world) -> None:
        publish(world, lib, "1.0.0")
        path = world.repository / "Package.swift"
        path.write_text(path.read_text().replace("OTHER", str(world.folder / "other")))

    def edit(world) -> None:
        publish(world, new, "1.0.1")
        path = world.repository / "Package.swift"
        path.write_text(path.read_text().replace('exact: "1.0.0"', 'exact: "1.0.1"'))
        (world.repository / "Package.resolved").unlink(missing_ok=True)

    files = PLAIN | {
        "Package.swift": manifest('.target(name: "App", dependencies: [.product(name: "Other", package: "other")])', '.testTarget(name: "AppTests", dependencies: ["App"])',
                                  dependencies=' dependencies: [.package(url: "file://OTHER", exact: "1.0.0")],'),
        "Sources/App/App.swift": f"import Other\n{app}\n", "Tests/AppTests/CodeTests.swift": test(line)}
    return files, edit, setup


def dependency(name: str, *words: str) -> Case:
    files, edit, setup = moved_dependency(*words)
    return Case(name, files, edit, setup=setup)


PLUGIN = PLAIN | {
    "Package.swift": manifest('.executableTarget(name: "gen")', '.plugin(name: "GenPlugin", capability: .buildTool(), dependencies: ["gen"])', '.target(name: "App", plugins: ["GenPlugin"])',
                              '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/gen/main.swift": 'import Foundation\nlet v = try String(contentsOfFile: CommandLine.arguments[1] + "/value.txt", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)\n'
                              'try "public func value() -> Int { \\(v) }\\n".write(toFile: CommandLine.arguments[2], atomically: true, encoding: .utf8)\n',
    "Plugins/GenPlugin/p.swift": 'import PackagePlugin\n@main struct P: BuildToolPlugin { func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {\n'
                                 '  let out = context.pluginWorkDirectoryURL.appending(path: "Gen.swift")\n'
                                 '  return [.buildCommand(displayName: "gen", executable: try context.tool(named: "gen").url, arguments: [context.package.directoryURL.path, out.path], inputFiles: [], outputFiles: [out])] } }\n',
    "Sources/App/App.swift": "let unused = 1\n", "value.txt": "1\n",
}

MACRO = PLAIN | {
    "Package.swift": f"{HEAD}import CompilerPluginSupport\n" + manifest('.macro(name: "Impl")', '.target(name: "App", dependencies: ["Impl"])',
                                                                     '.testTarget(name: "AppTests", dependencies: ["App"])').removeprefix(HEAD),
    # Speaks to the compiler by itself, without swift-syntax, which takes minutes to build.
    "Sources/Impl/main.swift": """import Foundation

func number() -> String { "1" }
func reply(_ text: String) {
    var length = UInt64(text.utf8.count).littleEndian
    FileHandle.standardOutput.write(Data(bytes: &length, count: 8) + Data(text.utf8))
}
while true {
    let head = FileHandle.standardInput.readData(ofLength: 8)
    guard head.count == 8 else { exit(0) }
    let length = head.enumerated().reduce(0) { $0 + Int($1.element) << (8 * $1.offset) }
    let body = FileHandle.standardInput.readData(ofLength: length)
    guard body.count == length else { exit(0) }
    if String(decoding: body, as: UTF8.self).contains("getCapability") {
        reply("{\\"getCapabilityResult\\":{\\"capability\\":{\\"protocolVersion\\":7,\\"features\\":[]}}}")
    } else {
        reply("{\\"expandMacroResult\\":{\\"expandedSource\\":\\"\\(number())\\",\\"diagnostics\\":[]}}")
    }
}
""",
    "Sources/App/App.swift": '@freestanding(expression) public macro number() -> Int = #externalMacro(module: "Impl", type: "Number")\npublic func value() -> Int { #number }\n',
    "value.txt": "1",
}
MACRO_READS = MACRO | {"Sources/Impl/main.swift": MACRO["Sources/Impl/main.swift"].replace(
    'func number() -> String { "1" }', 'func number() -> String { (try? String(contentsOfFile: "value.txt", encoding: .utf8)) ?? "0" }')}

LEFT = [
    Case("body-of-a-macro", MACRO, replace("Sources/Impl/main.swift", '{ "1" }', '{ "2" }')),
    Case("macro-reads-a-file", MACRO_READS, puts({"value.txt": "2"})),
    Case("import-that-nothing-declares", UNDECLARED, replace("Package.swift", ', dependencies: ["Lib"]', ""), status=3),
    Case("asks-for-a-later-module", ASKS_FOR_A_MODULE, replace("Sources/Lib/Lib.swift", "{ 2 }", "{ 3 }"), status=0),
    Case("asks-now-for-a-later-module", UNDECLARED, puts({"Sources/Lib/Lib.swift": ASKS_FOR_A_MODULE["Sources/Lib/Lib.swift"]}), status=0),
    Case("module-that-is-found-now", GROWS, puts({"Package.swift": UNDECLARED["Package.swift"]})),
    Case("swift-becomes-c", UNDECLARED, swift_becomes_c),
    Case("c-becomes-swift", C, c_becomes_swift),
    Case("source-that-is-gone", PLAIN | {"Sources/App/More.swift": "public func more() -> Int { 1 }\n", "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(more(), 1)")},
         lambda world: (world.repository / "Sources/App/More.swift").unlink(), status=3),
    Case("target-that-is-gone", UNDECLARED, puts({"Package.swift": manifest('.target(name: "App")', '.testTarget(name: "AppTests", dependencies: ["App"])')}), status=3),
    Case("resource-that-is-gone", RESOURCE | {"Sources/App/Data/c.txt": "1", "Sources/App/App.swift": RESOURCE["Sources/App/App.swift"] + 'public func third() -> Bool { FileManager.default.fileExists(atPath: Bundle.module.bundleURL.appendingPathComponent("Data/c.txt").path) }\n',
                                              "Tests/AppTests/CodeTests.swift": test("XCTAssertTrue(third())")},
         lambda world: (world.repository / "Sources/App/Data/c.txt").unlink()),
    Case("embedded-resource", PLAIN | {"Package.swift": manifest('.target(name: "App", resources: [.embedInCode("a.txt")])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
                                       "Sources/App/App.swift": "public func value() -> Int { Int(PackageResources.a_txt[0]) - 48 }\n", "Sources/App/a.txt": "1"},
         disguised("Sources/App/a.txt", "1", "2")),
    Case("generator-with-undeclared-input", PLUGIN, puts({"value.txt": "2\n"})),
    Case("object-of-somebody-else", PLAIN, spoil("object"), status=0),
    Case("resource-of-somebody-else", RESOURCE, spoil("resource"), status=0),
    Case("resource-of-somebody-else-after-a-killed-build", RESOURCE, lambda world: (kill_build(world), spoil("resource")(world)), status=0),
    Case("module-of-somebody-else", PLAIN | {"Tests/AppTests/CodeTests.swift": test("#if canImport(Extra)", "XCTFail()", "#endif", "XCTAssertEqual(value(), 1)")},
         lambda world: (spoil("module")(world), replace("Tests/AppTests/CodeTests.swift", "XCTFail()", "XCTFail(\"x\")")(world)), status=0),
    dependency("transparent-body-of-a-dependency", "@_transparent public func other() -> Int { 1 }\n", "@_transparent public func other() -> Int { 2 }\n",
               "public func value() -> Int { other() }", "XCTAssertEqual(value(), 1)"),
    dependency("stored-property-of-a-dependency", "public struct Box { public var a = 1; public init() {} }\n", "public struct Box { private var hidden = 7; public var a = 1; public init() {} }\n",
               "struct Held { var box = Box(); var tail = 1 }\npublic func value() -> Int { MemoryLayout<Held>.size }", "XCTAssertEqual(value(), 16)"),
]

# MARK: what neither compilers nor SwiftPM name

ODD_NAMES = PLAIN | {
    "Package.swift": manifest('.target(name: "App", resources: [.process("größe.txt"), .copy("日本")])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/App/größe.txt": "1", "Sources/App/日本/ü.txt": "1",
    "Sources/App/App.swift": 'import Foundation\npublic func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: Bundle.module.bundleURL.appendingPathComponent(name).path) }\n',
    "Tests/AppTests/CodeTests.swift": test('XCTAssertTrue(has("größe.txt"))', 'XCTAssertTrue(has("日本"))'),
}
STATIC = PLAIN | {
    "Package.swift": manifest('.target(name: "Pre")', '.target(name: "App", dependencies: ["Pre"])', '.testTarget(name: "AppTests", dependencies: ["App"])',
                              dependencies=' products: [.library(name: "Pre", type: .static, targets: ["Pre"])],'),
    "Sources/Pre/include/pre.h": "int pre(void);\n", "Sources/Pre/pre.c": "#include \"pre.h\"\nint pre(void) { return 1; }\n",
    "Sources/App/App.swift": "@_silgen_name(\"pre\") func pre() -> Int32\npublic func value() -> Int { Int(pre()) }\n",
}


def static_goes(world) -> None:
    shutil.rmtree(world.repository / "Sources/Pre")
    surroundings.write(world.repository, {"Package.swift": manifest(
        '.target(name: "App", linkerSettings: [.linkedLibrary("Pre")])', '.testTarget(name: "AppTests", dependencies: ["App"])')})


def flagged(setting: str, files: dict, source: str = "") -> dict:
    """A package with unsafe flags for the Swift compiler, in which `here` is its folder."""
    return PLAIN | {
        "Package.swift": manifest(f'.target(name: "App", {setting})', '.testTarget(name: "AppTests", dependencies: ["App"])',
                                  before="let here = Context.packageDirectory\n"),
        "Sources/App/App.swift": source or "public func value() -> Int {\n#if TWO\n    2\n#else\n    1\n#endif\n}\n",
    } | files


RESPONSE = flagged('swiftSettings: [.unsafeFlags(["@flags.txt"])]', {"flags.txt": "-DONE\n"})
RESPONSE_OF_C = C | {
    "Package.swift": C["Package.swift"].replace('["include/values.x"]', '["include/values.x"], cSettings: [.unsafeFlags(["@flags.txt"])]'),
    "flags.txt": "-DNUMBER=1\n", "Sources/CVals/c.c": '#include "c.h"\nint compiled(void) { return NUMBER; }\n',
}
OVERLAY = C | {
    "Package.swift": C["Package.swift"].replace('["include/values.x"]', '["include/values.x"], cSettings: [.unsafeFlags(["-ivfsoverlay", "overlay.yaml"])]'),
    "overlay.yaml": "{ 'version': 0, 'roots': [ { 'name': '/virtual/n.h', 'type': 'file', 'external-contents': 'one.h' } ] }\n",
    "one.h": "#define NUMBER 1\n", "two.h": "#define NUMBER 2\n",
    "Sources/CVals/c.c": '#include "c.h"\n#include "/virtual/n.h"\nint compiled(void) { return NUMBER; }\n',
}
ASKS_FOR_MODULE = flagged('swiftSettings: [.unsafeFlags(["-Xcc", "-I\\(here)/vendor"])]', {"vendor/.keep": ""},
                          source="public func value() -> Int {\n#if canImport(CNew)\n    2\n#else\n    1\n#endif\n}\n")
NEW_MODULE = {"vendor/module.modulemap": "module CNew { header \"new.h\" }\n", "vendor/new.h": "int new_one(void);\n"}
MODE = RESOURCE | {
    "Sources/App/App.swift": 'import Foundation\npublic func runs(_ name: String) -> Bool { FileManager.default.isExecutableFile(atPath: Bundle.module.bundleURL.appendingPathComponent(name).path) }\n',
    "Tests/AppTests/CodeTests.swift": test('XCTAssertFalse(runs("a.txt"))', 'XCTAssertFalse(runs("Data/b.txt"))'),
}
TARGET = RESOURCE | {
    "Sources/App/App.swift": 'import Foundation\npublic func target(_ name: String) -> String { (try? FileManager.default.destinationOfSymbolicLink(atPath: Bundle.module.bundleURL.appendingPathComponent(name).path)) ?? "" }\n',
    "Sources/App/Data/c.txt": "1", "Tests/AppTests/CodeTests.swift": test('XCTAssertEqual(target("Data/link"), "b.txt")'),
}


def leads(to: str) -> Callable:
    def edit(world) -> None:
        link = world.repository / "Sources/App/Data/link"
        link.unlink(missing_ok=True)
        link.symlink_to(to)
    return edit


def mode(name: str) -> Callable:
    return lambda world: (world.repository / name).chmod(0o755)


def reads_behind(text: str) -> dict:
    """A manifest that reads a list, with a text before the import that is no comment."""
    files = reading(READS)
    body = files["Package.swift"].removeprefix(HEAD)
    return files | {"Package.swift": f"// swift-tools-version: 6.0\nimport PackageDescription\n{text}\n{body}"}


NEAR = OUTSIDE | {
    "pkg/Package.swift": C["Package.swift"].replace(
        '["include/values.x"]', '["include/values.x"], cSettings: [.unsafeFlags(["-I../first", "-I../deep"])]'),
    "pkg/Sources/CVals/include/c.h": "static inline int limit_of(void) { return 1; }\nint compiled(void);\n",
    "pkg/Sources/CVals/c.c": "#include \"c.h\"\n#include <near.h>\nint compiled(void) { return NEAR; }\n",
    "first/.keep": "", "deep/near.h": "#define NEAR 1\n",
}
ASKS_OUTSIDE = OUTSIDE | {"common/values.h": "#if __has_include(\"more.h\")\n#define LIMIT 2\n#else\n#define LIMIT 1\n#endif\n"}
INCBIN_OUTSIDE = {f"pkg/{name}": text for name, text in INCBIN.items() if name != "assets/data.bin"} | {"common/data.bin": "1", "pkg/.kanmon.yml": SETTINGS}
INCBIN_OUTSIDE["pkg/Sources/CVals/c.c"] = INCBIN["Sources/CVals/c.c"].replace("assets/data.bin", "../common/data.bin")
ASSEMBLER = C | {
    "Sources/CVals/c.c": '#include "c.h"\nextern const char blob[];\nint compiled(void) { return blob[0]; }\n',
    "Sources/CVals/blob.S": '.section .rodata\n.global blob\nblob:\n.include "assets/number.inc"\n.section .note.GNU-stack,"",@progbits\n',
    "assets/number.inc": ".byte 1\n",
}
HIDDEN_ASM = INCBIN | {"Sources/CVals/.build/data.bin": "1", ".gitignore": "/.build\n",
                       "Sources/CVals/c.c": INCBIN["Sources/CVals/c.c"].replace("assets/", "Sources/CVals/.build/")}
SWIFT_RESOURCE = RESOURCE | {
    "Sources/App/App.swift": ODD_NAMES["Sources/App/App.swift"], "Sources/App/Data/sample.swift": "let a = 1\n",
    "Tests/AppTests/CodeTests.swift": test('XCTAssertTrue(has("Data/sample.swift"))'),
}
SWIFT_TEXT = RESOURCE | {"Sources/App/Data/sample.swift": "1", "Tests/AppTests/CodeTests.swift": test('XCTAssertEqual(sample(), "1")'),
                         "Sources/App/App.swift": RESOURCE["Sources/App/App.swift"] + 'public func sample() -> String { text("Data/sample.swift") }\n'}
PLUGIN_WITH_INPUT = PLUGIN | {
    "Plugins/GenPlugin/p.swift": PLUGIN["Plugins/GenPlugin/p.swift"].replace("inputFiles: []", 'inputFiles: [context.package.directoryURL.appending(path: "told.txt")]'),
    "told.txt": "",
}

SYSTEM_MODULE = PLAIN | {
    "Package.swift": manifest('.systemLibrary(name: "CSys")', '.target(name: "App", dependencies: ["CSys"])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Sources/CSys/module.modulemap": 'module CSys [system] { header "shim.h" }\n', "Sources/CSys/shim.h": '#include "../../vendor/v.h"\n',
    "vendor/v.h": "#define ANSWER 1\n", "Sources/App/App.swift": "import CSys\npublic func value() -> Int { Int(ANSWER) }\n",
}


def searched(folder: str) -> dict:
    """The same module, whose header is found in a folder that the manifest names."""
    flags = f'swiftSettings: [.unsafeFlags(["-Xcc", "-I\\(Context.packageDirectory)/{folder}"])]'
    return SYSTEM_MODULE | {
        "Package.swift": SYSTEM_MODULE["Package.swift"].replace('dependencies: ["CSys"]', f'dependencies: ["CSys"], {flags}').replace('dependencies: ["App"]', f'dependencies: ["App"], {flags}'),
        "Sources/CSys/module.modulemap": 'module CSys { header "shim.h" }\n', "Sources/CSys/shim.h": "#include <conf.h>\n",
        "inc1/conf.h": "#define ANSWER 1\n", "inc2/conf.h": "#define ANSWER 2\n",
    }


def generated_by(words: str, more: dict = {}) -> dict:
    """A package in which a shell of a plugin, which declares no input, makes `value` of what some words print."""
    command = f"cd '\\(context.package.directoryURL.path)'; echo \\\"public func value() -> Int {{ $({words}) }}\\\" > '\\(out.path)'"
    return PLAIN | {
        "Package.swift": manifest('.plugin(name: "Gen", capability: .buildTool())', '.target(name: "App", plugins: ["Gen"])', '.target(name: "Two")',
                                  '.testTarget(name: "AppTests", dependencies: ["App", "Two"])'),
        "Plugins/Gen/p.swift": 'import Foundation\nimport PackagePlugin\n@main struct Gen: BuildToolPlugin {\n'
                               '  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {\n'
                               '    let out = context.pluginWorkDirectoryURL.appendingPathComponent("g.swift")\n'
                               '    return [.buildCommand(displayName: "gen", executable: URL(fileURLWithPath: "/bin/sh"),\n'
                               f'      arguments: ["-c", "{command}"], inputFiles: [], outputFiles: [out])] }} }}\n',
        "Sources/App/App.swift": "public func other() -> Int { 1 }\n", "Sources/Two/Two.swift": "public let two = 2\n",
    } | more


def link_to(name: str, target: str) -> Callable:
    def link(world) -> None:
        (world.repository / name).unlink(missing_ok=True)
        (world.repository / name).symlink_to(target)
    return link


UNSEEN = [
    Case("generator-reads-sources", generated_by("cat Sources/Two/*.swift | wc -l"), replace("Sources/Two/Two.swift", "2\n", "2\n// More.\n")),
    Case("generator-reads-a-new-source", generated_by("cat Sources/Two/*.swift | wc -l"), puts({"Sources/Two/More.swift": "// More.\n"})),
    Case("generator-asks-for-a-mode", generated_by("test -x run.sh; echo $((2 - $?))", {"run.sh": ":\n"}) | {"Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(value(), 1)")},
         lambda world: (world.repository / "run.sh").chmod(0o755)),
    Case("generator-asks-where-a-link-leads", generated_by("readlink link", {"1": "same\n", "2": "same\n"}), link_to("link", "2"), setup=link_to("link", "1")),
    Case("header-of-a-system-module", SYSTEM_MODULE, puts({"vendor/v.h": "#define ANSWER 2\n"})),
    Case("search-path-of-a-module", searched("inc1"), puts({"Package.swift": searched("inc2")["Package.swift"]})),
    Case("link-in-a-search-path", searched("inc"), link_to("inc", "inc2"), setup=link_to("inc", "inc1")),
    Case("incbin-of-a-source", INCBIN_OF_A_SOURCE, replace("Sources/App/Number.swift", "1", "2")),
    Case("leftover-resource-not-ascii", ODD_NAMES, replace("Package.swift", 'resources: [.process("größe.txt"), .copy("日本")]', 'exclude: ["größe.txt"], resources: [.copy("日本")]')),
    Case("leftover-folder-not-ascii", ODD_NAMES, replace("Package.swift", 'resources: [.process("größe.txt"), .copy("日本")]', 'exclude: ["日本"], resources: [.process("größe.txt")]')),
    Case("leftover-resource-gone-not-ascii", ODD_NAMES | {"Tests/AppTests/CodeTests.swift": test('XCTAssertTrue(has("日本/ü.txt"))'), "Sources/App/日本/x.txt": ""},
         lambda world: (world.repository / "Sources/App/日本/ü.txt").unlink()),
    Case("leftover-resource-of-swift", SWIFT_RESOURCE, lambda world: (world.repository / "Sources/App/Data/sample.swift").unlink()),
    Case("resource-of-swift", SWIFT_TEXT, replace("Sources/App/Data/sample.swift", "1", "2")),
    Case("leftover-static-library", STATIC, static_goes, status=3),
    Case("response-file", RESPONSE, puts({"flags.txt": "-DTWO\n"})),
    Case("response-file-of-c", RESPONSE_OF_C, puts({"flags.txt": "-DNUMBER=2\n"})),
    Case("overlay-of-files", OVERLAY, replace("overlay.yaml", "one.h", "two.h")),
    Case("module-that-c-has-now", ASKS_FOR_MODULE, puts(NEW_MODULE)),
    Case("module-that-c-has-no-more", ASKS_FOR_MODULE | NEW_MODULE | {"Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(value(), 2)")},
         lambda world: (world.repository / "vendor/module.modulemap").unlink()),
    Case("resource-mode", MODE, mode("Sources/App/a.txt")),
    Case("resource-mode-in-a-folder", MODE, mode("Sources/App/Data/b.txt")),
    Case("resource-link", TARGET, leads("c.txt"), setup=leads("b.txt")),
    Case("manifest-comment-in-raw-text", reads_behind('let odd = #"\\"#, mark = "/*"'), puts({"tests.txt": "MoreTests\n"})),
    Case("manifest-comment-in-long-text", reads_behind('let odd = """\n  one " here /* and\n  """'), puts({"tests.txt": "MoreTests\n"})),
    Case("manifest-comment-in-interpolation", reads_behind('let odd = "\\("/*")"'), puts({"tests.txt": "MoreTests\n"})),
    Case("manifest-comment-in-pattern", reads_behind('let odd = #/"/*/#'), puts({"tests.txt": "MoreTests\n"})),
    Case("header-outside-shadowed", NEAR, puts({"first/near.h": "#define NEAR 2\n"}), setup=below),
    Case("header-outside-asked-for", ASKS_OUTSIDE, puts({"common/more.h": ""}), setup=below),
    Case("data-outside-of-the-package", INCBIN_OUTSIDE, replace("common/data.bin", "1", "2"), setup=below),
    Case("assembler-includes", ASSEMBLER, puts({"assets/number.inc": ".byte 2\n"})),
    Case("generator-with-one-undeclared-input", PLUGIN_WITH_INPUT, puts({"value.txt": "2\n"})),
    Case("data-in-a-hidden-folder", HIDDEN_ASM, puts({"Sources/CVals/.build/data.bin": "2"})),
]

# MARK: programs of the build, and of tests

# Reads and writes as a macro does, without Foundation.
READER = """func readAll(_ file: Int32, _ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
        var piece = [UInt8](repeating: 0, count: count - bytes.count)
        let length = read(file, &piece, piece.count)
        if length <= 0 { return nil }
        bytes += piece[..<length]
    }
    return bytes
}
func send(_ text: String) {
    let body = Array(text.utf8)
    var (head, rest) = ([UInt8](repeating: 0, count: 8), body.count)
    for place in 0..<8 { (head[place], rest) = (UInt8(rest & 255), rest >> 8) }
    _ = write(1, head + body, 8 + body.count)
}
func number() -> String {
    if let value = getenv("CI") { return String(cString: value) }
    guard let file = fopen("value.txt", "r") else { return "0" }
    defer { fclose(file) }
    return String(UnicodeScalar(UInt8(fgetc(file))))
}
"""
EXPANDS = """while let head = readAll(0, 8) {
    let length = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard let body = readAll(0, length) else { break }
    if String(decoding: body, as: UTF8.self).contains("getCapability") {
        send("{\\"getCapabilityResult\\":{\\"capability\\":{\\"protocolVersion\\":7,\\"features\\":[]}}}")
    } else {
        send("{\\"expandMacroResult\\":{\\"expandedSource\\":\\"\\(number())\\",\\"diagnostics\\":[]}}")
    }
}
"""
MACRO_BY_C = MACRO | {"Sources/Impl/main.swift": f"import SwiftGlibc\n{READER}{EXPANDS}"}
MACRO_BY_A_LIBRARY = MACRO | {
    "Package.swift": MACRO["Package.swift"].replace('.macro(name: "Impl")', '.target(name: "SwiftReader"), .macro(name: "Impl", dependencies: ["SwiftReader"])'),
    "Sources/SwiftReader/Reader.swift": "import Glibc\n" + READER.replace("func ", "public func "),
    "Sources/Impl/main.swift": f"import SwiftReader\n{EXPANDS}",
}
PREBUILD = PLAIN | {
    "Package.swift": manifest('.plugin(name: "Gen", capability: .buildTool())', '.target(name: "App", plugins: ["Gen"])', '.testTarget(name: "AppTests", dependencies: ["App"])'),
    "Plugins/Gen/p.swift": 'import Foundation\nimport PackagePlugin\n@main struct Gen: BuildToolPlugin {\n'
                           '  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {\n'
                           '    let out = context.pluginWorkDirectoryURL.appendingPathComponent("out")\n'
                           '    return [.prebuildCommand(displayName: "gen", executable: URL(fileURLWithPath: "/bin/cp"),\n'
                           '      arguments: ["-R", context.package.directoryURL.path + "/Gen/.", out.path], outputFilesDirectory: out)] } }\n',
    "Gen/first.swift": "public func first() -> Int { 1 }\n", "Gen/second.swift": "public func second() -> Int { 2 }\n",
    "Tests/AppTests/CodeTests.swift": test("XCTAssertEqual(first(), 1)"),
}
RECORDS = PLAIN | {"Tests/AppTests/CodeTests.swift": test(
    "let recorded = Bundle(for: CodeTests.self).bundleURL.deletingLastPathComponent().appendingPathComponent(\"recorded.txt\")",
    "guard FileManager.default.fileExists(atPath: recorded.path) else {",
    "    try Data().write(to: recorded)", "    return XCTFail(\"recorded; run again\")", "}")}
KEEPS_A_CACHE = "test -e '\\(out.path).kept' || cp value.txt '\\(out.path).kept'; cat '\\(out.path).kept'"


def variable(name: str, value: str) -> Callable:
    return lambda world: world.environment.update({name: value})


PROGRAMS = [
    Case("generator-keeps-a-cache", generated_by(KEEPS_A_CACHE, {"value.txt": "1\n"}), puts({"value.txt": "2\n"})),
    Case("generator-asks-for-a-variable", generated_by("echo ${CI:-1}"), variable("CI", "2")),
    Case("generator-before-the-build", PREBUILD, lambda world: (world.repository / "Gen/first.swift").unlink(), status=3),
    Case("macro-reads-by-c", MACRO_BY_C, puts({"value.txt": "2"})),
    Case("macro-reads-by-a-library", MACRO_BY_A_LIBRARY, puts({"value.txt": "2"})),
    Case("macro-asks-for-a-variable", MACRO_BY_C, variable("CI", "2")),
    Case("test-records-beside-the-products", RECORDS, replace("Sources/App/App.swift", "{ 1 }", "{ 2 }"), first=1),
]

CASES = REACH + TIMES + MANIFESTS + CODE_OF_C + LEFT + UNSEEN + PROGRAMS
