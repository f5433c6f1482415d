import Evidence
import Foundation
import RunModel
import TestResults
import TestSupport
import Testing

@testable import TestRunning

@Suite struct BuiltFolderTests {
    private let folder: TemporaryFolder
    private var products: String { "\(folder.path)/out/Products/Debug-linux" }

    init() throws { folder = try TemporaryFolder() }

    private func module(_ name: String, _ kind: Module.Kind, sources: [String] = ["a.swift"]) -> Module {
        Module(
            name: name, compilerName: name.replacing("-", with: "_"), kind: kind, isSwift: true,
            path: kind == .test ? "Tests/\(name)" : "Sources/\(name)", sources: sources, dependencies: [])
    }

    private func make(runners: [String]) throws {
        for name in runners {
            _ = try folder.write("x", to: "out/Products/Debug-linux/\(name)-test-runner")
            _ = try folder.write("x", to: "out/Products/Debug-linux/\(name).so")
        }
    }

    private func entry(_ name: String, _ module: String) -> DiscoveredTests.Entry {
        let id = TestID(module: module, suite: "S", name: name)
        return DiscoveredTests.Entry(id: id, library: .xctest, name: "\(module).S/\(name)")
    }

    @Test func `each test target has a runner with a library beside it, or is missing`() throws {
        try make(runners: ["CoreTests", "my-tests"])
        _ = try folder.write("x", to: "out/Products/Debug-linux/HalfTests-test-runner")
        _ = try folder.write("x", to: "out/Products/Debug-linux/Forgotten-test-runner")
        let found = BuiltFolder(
            path: products,
            modules: [
                module("Core", .library), module("my-tests", .test), module("HalfTests", .test),
                module("CoreTests", .test), module("NoTests", .test),
            ])
        #expect(
            found.runners == [
                BuiltFolder.Runner(module: "my_tests", path: "\(products)/my-tests-test-runner"),
                BuiltFolder.Runner(module: "CoreTests", path: "\(products)/CoreTests-test-runner"),
            ])
        #expect(found.missing == ["HalfTests", "NoTests"])
    }

    @Test
    func `objects are found by their sources, those of an executable as it is built, and what is not there is none`()
        throws
    {
        func map(
            _ target: String, _ sources: [String: String], in objects: String = "Objects-normal", writes: Bool = true
        ) throws {
            let place = "out/Intermediates.noindex/Kit.build/Debug-linux/\(target).build/\(objects)/x86_64"
            var entries = [#""": { "diagnostics": "x" }"#]
            for (source, object) in sources {
                let path = "\(folder.path)/\(place)/\(object)"
                if writes { _ = try folder.write("x", to: "\(place)/\(object)") }
                entries.append(#""/p/\#(source)": { "object": "\#(path)" }"#)
            }
            _ = try folder.write("{\(entries.joined(separator: ","))}", to: "\(place)/\(target)-OutputFileMap.json")
        }
        try map("Tool-4E57B41-testable", ["Sources/Tool/main.swift": "main.o"])
        try map("a-tool", ["Sources/Tool/main.swift": "main.o"])
        try map("Core", ["Sources/Core/a.swift": "a.o", "generated.swift": "generated.o"])
        try map("Checked", ["Sources/Checked/a.swift": "a.o"], in: "Objects-normal-tsan")
        try map("Gone", ["Sources/Gone/a.swift": "a.o"], writes: false)
        let maps = try BuiltFolder(path: products, modules: []).maps()
        let built = "\(folder.path)/out/Intermediates.noindex/Kit.build/Debug-linux"
        #expect(
            maps.objects(of: module("Tool", .executable, sources: ["main.swift"]), packageRoot: "/p") == [
                "/p/Sources/Tool/main.swift": "\(built)/a-tool.build/Objects-normal/x86_64/main.o"
            ])
        #expect(
            maps.objects(of: module("Core", .library), packageRoot: "/p") == [
                "/p/Sources/Core/a.swift": "\(built)/Core.build/Objects-normal/x86_64/a.o",
                "/p/generated.swift": "\(built)/Core.build/Objects-normal/x86_64/generated.o",
            ])
        #expect(
            maps.objects(of: module("Checked", .library), packageRoot: "/p") == [
                "/p/Sources/Checked/a.swift": "\(built)/Checked.build/Objects-normal-tsan/x86_64/a.o"
            ])
        #expect(maps.objects(of: module("Gone", .library), packageRoot: "/p") == [:])
        let list = try ObjectList(
            modules: [module("Core", .library), module("Gone", .library)], packageRoot: "/p", productsPath: products,
            folder: BuiltFolder(path: products, modules: []))
        #expect(list.modulesWithoutObjects == ["Gone"])
    }

    @Test func `each runner has a pass with its own tests, whatever library they are of`() throws {
        try make(runners: ["ATests", "BTests", "CTests"])
        var found = BuiltFolder(path: products, modules: ["ATests", "BTests", "CTests"].map { module($0, .test) })
        let (a, b, shared) = (entry("a", "ATests"), entry("b", "BTests"), entry("s", "Support"))
        let runner = { (name: String) in "\(self.products)/\(name)-test-runner" }
        found.owners = [
            Name(a.name): runner("ATests"), Name(b.name): runner("BTests"), Name(shared.name): runner("BTests"),
        ]
        #expect(
            found.plans(of: DiscoveredTests(entries: [a, b, shared])) == [
                PassPlan(reason: .first, tests: [a], isWhole: true, runner: runner("ATests")),
                PassPlan(reason: .first, tests: [b, shared], isWhole: true, runner: runner("BTests")),
            ])
        let all = ["ATests", "BTests", "CTests"].map { PassPlan(reason: .first, runner: runner($0)) }
        #expect(found.plans(of: nil) == all)
        #expect(found.plans(of: DiscoveredTests()) == all)
    }

    @Test func `what is left of several runners runs in a pass for each`() throws {
        try make(runners: ["ATests", "BTests"])
        let found = BuiltFolder(path: products, modules: ["ATests", "BTests"].map { module($0, .test) })
        let tests = [entry("a", "ATests"), entry("b", "BTests"), entry("c", "ATests")]
        let (a, b) = ("\(products)/ATests-test-runner", "\(products)/BTests-test-runner")
        var queue = PassQueue(
            found.plans(of: DiscoveredTests(entries: tests)), discovered: DiscoveredTests(entries: tests), retries: 1,
            products: found)
        let (first, second) = (queue.next(), queue.next())
        #expect(first == PassPlan(reason: .first, tests: [tests[0], tests[2]], isWhole: true, runner: a))
        #expect(second == PassPlan(reason: .first, tests: [tests[1]], isWhole: true, runner: b))
        if let first, let second {
            queue.take(PassReport(unfinished: [tests[2].id], failed: [tests[0].id], settled: 1), of: first)
            queue.take(PassReport(failed: [tests[1].id], settled: 1), of: second)
        }
        #expect(queue.next() == PassPlan(reason: .recovery, tests: [tests[2]], runner: a))
        #expect(queue.next() == PassPlan(reason: .retry, tests: [tests[0]], runner: a))
        #expect(queue.next() == PassPlan(reason: .retry, tests: [tests[1]], runner: b))
        #expect(queue.next() == nil)
    }
}

@Suite struct RunnerListsTests {
    private func xctest(_ name: String, _ tests: String...) -> Data {
        let cases = tests.map { #"{"name":"\#($0)"}"# }.joined(separator: ",")
        return Data(
            #"{"name":"All tests","tests":[{"name":"a.xctest","tests":[{"name":"\#(name)","tests":[\#(cases)]}]}]}"#
                .utf8)
    }

    private func swiftTesting(_ id: String) -> String {
        #"{"kind":"test","payload":{"id":"\#(id)","isParameterized":false,"kind":"function","name":"\#(id)","sourceLocation":{"_filePath":"/p/A.swift","column":2,"fileID":"A/A.swift","line":1}},"version":"6.3.0"}"#
            + "\n"
    }

    @Test func `the lists of several runners become one, and what several have is the first's`() throws {
        var lists = RunnerLists()
        var isList = lists.add(xctest: xctest("ATests.Old", "testOne", "testTwo"), of: "/a")
        #expect(isList)
        isList = lists.add(xctest: xctest("BTests.Old", "testOne"), of: "/b")
        #expect(isList)
        let (own, shared) = (swiftTesting("BTests.b()/B.swift:1:2"), swiftTesting("Support.s()/S.swift:1:2"))
        isList = lists.add(swiftTesting: Data(shared.utf8), of: "/a")
        #expect(isList)
        isList = lists.add(swiftTesting: Data((own + shared).utf8), of: "/b")
        #expect(isList)
        #expect(
            lists.owners == [
                Name("ATests.Old/testOne"): "/a", Name("ATests.Old/testTwo"): "/a", Name("BTests.Old/testOne"): "/b",
                Name("Support.s()/S.swift:1:2"): "/a", Name("BTests.b()/B.swift:1:2"): "/b",
            ])
        #expect(String(decoding: lists.swiftTesting, as: UTF8.self) == shared + own)
        let again = try DiscoveredTests(
            xctestList: Array(lists.xctestFile()), swiftTestingList: Array(lists.swiftTesting))
        #expect(lists.tests == again)
        #expect(again.entries.count == 5)
        isList = lists.add(xctest: Data("no list".utf8), of: "/c")
        #expect(!isList)
        isList = lists.add(swiftTesting: nil, of: "/c")
        #expect(!isList)
    }
}

@Suite struct SwiftBuildLogTests {
    @Test(arguments: [
        (
            "/p/Sources/A/A.swift:2:5: error: cannot convert\nerror: SwiftCompile normal x86_64 /p/A.swift failed with a nonzero exit code. Command line:     cd /p\nerror: Build failed",
            nil
        ),
        ("[3/9] Compiling\nerror: Build failed\n", "Swift Build failed without naming an error"),
        ("", "Swift Build failed without naming an error"),
        (
            "error: Multiple commands produce '/s/out/A.o'\nerror: Build failed",
            "Swift Build says: Multiple commands produce '/s/out/A.o'"
        ),
        ("error: unexpected service error: gone", "Swift Build says: unexpected service error: gone"),
        ("error: unexpected service error: gone\n/p/A.swift:1:1: error: cannot find 'x'", nil),
        ("/p/A.swift:1:1: error: this is an internal error", nil),
        ("clang: error: linker command failed with exit code 1", nil),
    ])
    func `whose fault a failed build is`(log: String, failure: String?) {
        #expect(SwiftBuildLog(log).failure == failure)
    }
}
