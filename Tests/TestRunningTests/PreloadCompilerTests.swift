import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct PreloadCompilerTests {
    @Test func `the parts that record tests know each other in one direction`() throws {
        let sources = Dictionary(
            uniqueKeysWithValues: PreloadCompiler.preloaded.map { ($0.name, String(decoding: $0.text, as: UTF8.self)) })
        // Each part, and what begins the names of its functions. Those before it are its own to call.
        let parts = [
            ("records", ["record_", "records_"]), ("settling", ["settle", "settling_"]),
            ("initialisers", ["initialisers_"]), ("tests", ["begin_test", "end_test", "kanmon_record_tests"]),
            ("events", ["kanmon_follow_events"]),
        ]
        for (index, part) in parts.enumerated() {
            let source = try #require(sources["preload-\(part.0).c"])
            #expect(part.1.allSatisfy { source.contains($0) }, "\(part.0)")
            for name in parts[(index + 1)...].flatMap({ $0.1 }) {
                #expect(!source.contains(name), "\(part.0): \(name)")
            }
        }
    }

    @Test(.slow) func `runs that begin at the same time each have the observer, and nothing else stays`() async throws {
        let folder = try TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment
        let installation = try await ToolchainLocator(environment: environment).locate()
        let compiler = PreloadCompiler(
            installation: installation, cacheDirectory: folder.path, environment: environment)
        let libraries = try await withThrowingTaskGroup(of: PreloadLibraries.self) { group in
            for _ in 1...3 { group.addTask { try await compiler.libraries() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(libraries).count == 1)
        let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/observer")
        #expect(kept.count == 1)
        for library in libraries {
            #expect(FileManager.default.fileExists(atPath: library.preload))
            #expect(FileManager.default.fileExists(atPath: library.observer))
            #expect(FileManager.default.fileExists(atPath: library.listener))
        }
        // As after a loss of power: the dynamic linker would only say that it is ignored.
        for path in [libraries[0].preload, libraries[0].observer, libraries[0].listener] {
            let whole = try #require(FileManager.default.contents(atPath: path))
            try Data().write(to: URL(filePath: path))
            _ = try await compiler.libraries()
            #expect(FileManager.default.contents(atPath: path)?.isEmpty == false)
            #expect(FileManager.default.contents(atPath: path)?.prefix(4) == whole.prefix(4))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/observer").count == 1)
    }

    @Test(.slow) func `what hears assertions of Swift Testing is loaded, however long the command line is`()
        async throws
    {
        let folder = try TemporaryFolder()
        let environment = ProcessInfo.processInfo.environment
        let installation = try await ToolchainLocator(environment: environment).locate()
        let compiler = PreloadCompiler(
            installation: installation, cacheDirectory: folder.path, environment: environment)
        let preload = try await compiler.libraries().preload
        func run(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) async throws {
            let command = ChildCommand(
                executable: program, arguments: arguments,
                environment: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }, workingDirectory: folder.path)
            let captured = CapturedOutput()
            let outcome = try await ChildProcess(command, limits: .init(run: .seconds(120)), mergesStreams: true)
                .run(captured)
            #expect(outcome.termination == .exited(0), "\(captured.errorText)")
        }
        _ = try folder.write("int main(void) { return 0; }\n", to: "main.c")
        try await run(installation.tools.clang, ["main.c", "-o", "Kit.xctest"])
        // Both are no libraries, so that each process says which of them it would have loaded.
        for (count, isWhole) in [(0, true), (1, true), (700, true), (1365, true), (5000, true), (5000, false)] {
            let records = "\(folder.path)/records-\(count)-\(isWhole)"
            let words = (0..<count).map { "word\($0 % 10)" } + ["--testing-library"]
            try await run(
                "\(folder.path)/Kit.xctest", words + [isWhole ? "swift-testing" : "xctest"],
                [
                    "LD_PRELOAD": preload, "KANMON_OBSERVER_RECORDS": records,
                    "KANMON_OBSERVER_LIBRARY": "\(folder.path)/none", "KANMON_LISTENER_LIBRARY": "\(folder.path)/none",
                ])
            let said = try String(contentsOfFile: records, encoding: .utf8)
            #expect(
                said.contains(isWhole ? "what listens in Swift Testing" : "the observer of XCTest"), "\(count): \(said)"
            )
        }
        // What listens says so, and a process that does not know what to listen to says why.
        for (answer, record) in [
            (1, #"{"desc":"assertions of XCTest","ev":"heard"}"#),
            (0, #"{"desc":"XCTest does not say which test case runs","ev":"deaf"}"#),
        ] {
            let library = "\(folder.path)/listener-\(answer)"
            _ = try folder.write(
                "int kanmon_listener_install(void) { return \(answer); }\n", to: "listener-\(answer).c")
            try await run(installation.tools.clang, ["-shared", "-fPIC", "\(library).c", "-o", "\(library).so"])
            try await run(
                "\(folder.path)/Kit.xctest", ["--testing-library", "swift-testing"],
                [
                    "LD_PRELOAD": preload, "KANMON_OBSERVER_RECORDS": "\(library).jsonl",
                    "KANMON_LISTENER_LIBRARY": "\(library).so",
                ])
            #expect(try String(contentsOfFile: "\(library).jsonl", encoding: .utf8) == record + "\n")
        }
    }

    @Test(.slow) func `a toolchain whose profiles are of a version that is not known is told`() async throws {
        let folder = try TemporaryFolder()
        let tools = try await ToolchainLocator(environment: ProcessInfo.processInfo.environment).locate().tools
        func run(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) async throws {
            let command = ChildCommand(
                executable: program, arguments: arguments,
                environment: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 },
                workingDirectory: folder.path)
            let captured = CapturedOutput()
            let outcome = try await ChildProcess(command, limits: .init(run: .seconds(120)), mergesStreams: true)
                .run(captured)
            #expect(outcome.termination == .exited(0), "\(captured.errorText)")
        }
        for (name, text) in PreloadCompiler.preloaded {
            let source = String(decoding: text, as: UTF8.self)
            _ = try folder.write(
                source.replacing("#define KNOWN_VERSION 10\n", with: "#define KNOWN_VERSION 0\n"), to: name)
        }
        _ = try folder.write("int main(void) { return 0; }\n", to: "main.c")
        let sources = PreloadCompiler.preloaded.map(\.name).filter { $0.hasSuffix(".c") }
        try await run(tools.clang, ["-shared", "-fPIC"] + sources + ["-o", "preload.so"])
        try await run(tools.clang, ["main.c", "-o", "Kit.xctest"])
        let profiles = "\(folder.path)/profiles"
        try FileManager.default.createDirectory(atPath: profiles, withIntermediateDirectories: true)
        try await run(
            "\(folder.path)/Kit.xctest", [],
            ["LD_PRELOAD": "\(folder.path)/preload.so", "KANMON_LIVE_PROFILES": profiles])
        let detail = "the toolchain writes profiles in a format that is not known"
        #expect(try ProfileInventory(directory: profiles).unkept == [Note(.countersNotKept, detail: detail)])
    }

    @Test(.slow) func `only the pool of Swift is narrowed, only where that is asked for, and what tests start is not`()
        async throws
    {
        let folder = try TemporaryFolder()
        let clang = try await ToolchainLocator(environment: ProcessInfo.processInfo.environment).locate().tools.clang
        func run(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) async throws -> String {
            let command = ChildCommand(
                executable: program, arguments: arguments,
                environment: ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }, workingDirectory: folder.path)
            let captured = CapturedOutput()
            let outcome = try await ChildProcess(command, limits: .init(run: .seconds(120)), mergesStreams: false)
                .run(captured)
            #expect(outcome.termination == .exited(0), "\(captured.errorText)")
            return String(decoding: captured.output, as: UTF8.self)
        }
        for (name, text) in PreloadCompiler.preloaded { _ = try folder.write(Data(text), to: name) }
        _ = try folder.write(
            """
            #include <stdio.h>
            void dispatch_queue_set_width(void *queue, long width) { printf("%s %ld\\n", (const char *)queue, width); }

            """, to: "dispatch.c")
        // The runtime asks for all processors, everything else for a number of its own.
        _ = try folder.write(
            """
            #include <stdio.h>
            #include <stdlib.h>
            void dispatch_queue_set_width(void *queue, long width);
            void use(void) {
                dispatch_queue_set_width("tasks", -3);
                dispatch_queue_set_width("own", 7);
                printf("%s\\n", getenv("KANMON_POOL_WIDTH") == NULL ? "nothing to inherit" : "inherited");
            }

            """, to: "use.c")
        _ = try folder.write("void use(void);\nint main(void) { use(); return 0; }\n", to: "main.c")
        _ = try folder.write(
            """
            #include <dlfcn.h>
            #include <stddef.h>
            int main(void) {
                void *library = dlopen("./libuse.so", RTLD_NOW | RTLD_LOCAL);
                void (*use)(void) = library == NULL ? NULL : (void (*)(void))dlsym(library, "use");
                if (use == NULL) return 1;
                use();
                return 0;
            }

            """, to: "late.c")
        let sources = PreloadCompiler.preloaded.map(\.name).filter { $0.hasSuffix(".c") }
        let linking = ["-L.", "-ldispatch", "-Wl,-rpath,\(folder.path)"]
        _ = try await run(clang, ["-shared", "-fPIC", "-fvisibility=hidden"] + sources + ["-o", "preload.so"])
        _ = try await run(
            clang, ["-shared", "-fPIC", "dispatch.c", "-Wl,-soname,libdispatch.so", "-o", "libdispatch.so"])
        _ = try await run(clang, ["-shared", "-fPIC", "use.c", "-o", "libuse.so"] + linking)
        _ = try await run(clang, ["main.c", "use.c", "-o", "Kit.xctest"] + linking)
        _ = try await run(clang, ["late.c", "-o", "Late.xctest", "-ldl"])

        // Also where only a library of the program knows Dispatch.
        for program in ["Kit.xctest", "Late.xctest"] {
            for (width, tasks) in [(nil, -3), ("1", 1), ("2", 2), ("0", -3), ("many", -3)] as [(String?, Int)] {
                var variables = ["LD_PRELOAD": "\(folder.path)/preload.so"]
                variables["KANMON_POOL_WIDTH"] = width
                #expect(
                    try await run("\(folder.path)/\(program)", [], variables)
                        == "tasks \(tasks)\nown 7\nnothing to inherit\n", "\(program) \(width ?? "none")")
            }
        }
    }
}
