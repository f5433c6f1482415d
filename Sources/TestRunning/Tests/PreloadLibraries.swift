import Cryptography
import Evidence
import Foundation
import RunModel

/// What is loaded into the processes of the tests, compiled for one toolchain.
struct PreloadLibraries: Sendable, Hashable {
    /// What LD_PRELOAD names: C only, so that it may be loaded into every program. In a test binary it keeps the counters of
    /// coverage, whatever ends the process.
    var preload: String
    /// The XCTest observer, which that loads inside a test binary.
    var observer: String
    /// What has assertions of XCTest heard, which it loads instead where the tests are those of Swift Testing.
    var listener: String
}

/// Why nothing can be preloaded; results of XCTest then come from the console, and a crash takes its coverage along.
struct PreloadUnavailable: Error, Sendable, Hashable {
    /// What was seen.
    var detail: String
}

/// Compiles what is preloaded once per toolchain and keeps it.
struct PreloadCompiler: Sendable {
    /// The toolchain's programs and versions.
    var installation: ToolchainInstallation
    /// The folder that holds what is kept.
    var cacheDirectory: String
    /// The allow-listed environment.
    var environment: [String: String]

    /// Answers the kept libraries, or compiles them.
    func libraries() async throws(PreloadUnavailable) -> PreloadLibraries {
        let folder = "\(cacheDirectory)/observer/\(key)"
        // The dynamic linker splits LD_PRELOAD at both and knows no escape.
        if folder.contains(where: { $0 == " " || $0 == ":" }) {
            throw PreloadUnavailable(detail: "LD_PRELOAD cannot name a path with a space or a colon: \(folder)")
        }
        let kept = Self.libraries(in: folder)
        if Self.isWhole(folder) { return kept }
        do throws(RunnerError) {
            try await compile(into: folder)
        } catch {
            throw PreloadUnavailable(detail: "\(error)")
        }
        return kept
    }

    private static func libraries(in folder: String) -> PreloadLibraries {
        PreloadLibraries(
            preload: "\(folder)/libkanmon-preload.so", observer: "\(folder)/libkanmon-observer.so",
            listener: "\(folder)/libkanmon-listener.so")
    }

    /// What a folder holds must be what was compiled: of a file that is cut short or empty, as after a loss of power, the dynamic
    /// linker only says that it is ignored, and the assertions that it would have heard fail nothing.
    private static func isWhole(_ folder: String) -> Bool {
        guard let written = FileManager.default.contents(atPath: digestFile(in: folder)) else { return false }
        return written == digests(in: folder)
    }

    private static func digestFile(in folder: String) -> String { "\(folder)/digests" }

    /// The digests of the libraries in a folder, a line each; `nil` if one is missing.
    private static func digests(in folder: String) -> Data? {
        let libraries = libraries(in: folder)
        var lines = ""
        for path in [libraries.preload, libraries.observer, libraries.listener] {
            guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
            lines += Digest.sha256(Array(bytes)) + "\n"
        }
        return Data(lines.utf8)
    }

    private var key: String {
        var hash = SHA256()
        let toolchain = installation.toolchain
        for text in [installation.tools.swift, toolchain.swiftVersion, toolchain.target] {
            hash.update(text.utf8)
            hash.update([0])
        }
        for (name, text) in Self.preloaded + Self.observing + Self.listening {
            hash.update(name.utf8)
            hash.update(text)
        }
        return String(hash.finalize().hexadecimal.prefix(32))
    }

    /// The sources of the preloaded library.
    static var preloaded: [(name: String, text: [UInt8])] {
        [
            ("preload.h", PackageResources.preload_h), ("preload.c", PackageResources.preload_c),
            ("preload-assertions.c", PackageResources.preload_assertions_c),
            ("preload-children.c", PackageResources.preload_children_c),
            ("preload-counters.c", PackageResources.preload_counters_c),
            ("preload-events.c", PackageResources.preload_events_c),
            ("preload-initialisers.c", PackageResources.preload_initialisers_c),
            ("preload-places.c", PackageResources.preload_places_c),
            ("preload-pool.c", PackageResources.preload_pool_c),
            ("preload-records.h", PackageResources.preload_records_h),
            ("preload-records.c", PackageResources.preload_records_c),
            ("preload-settling.c", PackageResources.preload_settling_c),
            ("preload-tests.c", PackageResources.preload_tests_c),
        ]
    }

    /// The sources of the observer.
    private static var observing: [(name: String, text: [UInt8])] {
        [
            ("CurrentTestCase.swift", PackageResources.CurrentTestCase_swift),
            ("XCTestObserver.swift", PackageResources.XCTestObserver_swift),
            ("XCTestObserver+Issues.swift", PackageResources.XCTestObserver_Issues_swift),
        ]
    }

    /// The sources of the listener.
    private static var listening: [(name: String, text: [UInt8])] {
        [
            ("CurrentTestCase.swift", PackageResources.CurrentTestCase_swift),
            ("SwiftTestingListener.swift", PackageResources.SwiftTestingListener_swift),
        ]
    }

    private func compile(into folder: String) async throws(RunnerError) {
        try makeDirectory((folder as NSString).deletingLastPathComponent)
        // Several runs may compile at the same time, each in a folder of its own.
        let workshop = try makeDirectory(besides: folder)
        defer { try? FileManager.default.removeItem(atPath: workshop) }
        let result = Self.libraries(in: workshop)
        for (name, text) in Self.preloaded + Self.observing + Self.listening {
            let path = "\(workshop)/\(name)"
            try onFileSystem("write", path) { try Data(text).write(to: URL(filePath: path)) }
        }
        let cSources = Self.preloaded.map(\.name).filter { $0.hasSuffix(".c") }
        try await run(
            installation.tools.clang,
            ["-shared", "-fPIC", "-O2", "-fvisibility=hidden"] + cSources + ["-o", result.preload], workshop)
        for (module, sources, library) in [
            ("KanmonObserver", Self.observing, result.observer), ("KanmonListener", Self.listening, result.listener),
        ] {
            try await run(
                installation.tools.swiftc,
                ["-O", "-swift-version", "5", "-parse-as-library", "-emit-library", "-module-name", module]
                    + sources.map(\.name) + ["-o", library],
                workshop)
        }
        let file = Self.digestFile(in: workshop)
        try onFileSystem("write", file) { try Self.digests(in: workshop)?.write(to: URL(filePath: file)) }
        if rename(workshop, folder) == 0 { return }
        // Somebody else may have been faster, with the same result.
        let error = errno
        guard error == EEXIST || error == ENOTEMPTY else {
            throw .fileSystem(action: "make", path: folder, detail: systemMessage(error))
        }
        if Self.isWhole(folder) { return }
        try onFileSystem("replace", folder) {
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.moveItem(atPath: workshop, toPath: folder)
        }
    }

    private func run(_ tool: String, _ arguments: [String], _ folder: String) async throws(RunnerError) {
        let command = ChildCommand(
            executable: tool, arguments: arguments, environment: environment, workingDirectory: folder
        )
        let captured = CapturedOutput(limit: 1 << 20)
        let outcome = try await ChildProcess(command, limits: .init(run: .seconds(120)), mergesStreams: false).run(
            captured)
        guard outcome.termination.isSuccess else {
            throw .toolchainUnreadable(tool: tool, detail: captured.errorText)
        }
    }
}
