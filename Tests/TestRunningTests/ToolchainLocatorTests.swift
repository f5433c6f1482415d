import Foundation
import RunModel
import TestSupport
import Testing

@testable import TestRunning

@Suite struct ToolchainLocatorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func program(_ name: String) throws -> String {
        let path = try folder.write("#!/bin/sh\n", to: name)
        chmod(path, 0o755)
        return path
    }

    private func information(resources: String) -> ToolchainLocator.TargetInformation {
        .init(
            compilerVersion: "Swift version 6.3.1", target: .init(triple: "t"),
            paths: .init(runtimeResourcePath: resources))
    }

    @Test func `swift is the first program of that name in PATH`() throws {
        let swift = try program("b/swift")
        _ = try folder.write("not a program", to: "a/swift")
        let path = "\(folder.path)/none:\(folder.path)/a:relative:\(folder.path)/b"
        #expect(try ToolchainLocator(environment: ["PATH": path]).findSwift() == swift)
        #expect(throws: RunnerError.swiftNotFound(searched: "/nowhere")) {
            try ToolchainLocator(environment: ["PATH": "/nowhere"]).findSwift()
        }
        #expect(throws: RunnerError.swiftGone(path: "/x/swift")) {
            try ToolchainLocator(environment: ["PATH": path], swiftOverride: "/x/swift").findSwift()
        }
    }

    @Test func `a swift that was named and is gone is told with the command that names it again`() {
        let gone = RunnerError.swiftGone(path: "/x/swift")
        #expect("\(gone)" == "there is no swift at /x/swift")
        #expect(
            gone.hint
                == "kanmon hook install, if a hook recorded this path; else name another with --swift or KANMON_SWIFT")
    }

    @Test func `tools come from the installation, not from the folder of a proxy`() throws {
        let proxy = try program("bin/swift")
        // A distribution's llvm tools lie beside the proxy.
        for name in ["swiftc", "clang", "llvm-profdata", "llvm-cov"] { _ = try program("bin/\(name)") }
        for name in ["swift", "swiftc", "clang", "llvm-profdata", "llvm-cov", "swift-frontend"] {
            _ = try program("toolchain/usr/bin/\(name)")
        }
        _ = try folder.write("", to: "toolchain/usr/lib/swift/x")
        let tools = try ToolchainLocator(environment: [:]).tools(
            of: proxy, information(resources: "\(folder.path)/toolchain/usr/lib/swift")
        )
        #expect(tools == ToolPaths(directory: "\(folder.path)/toolchain/usr/bin"))
    }

    @Test func `a missing tool is named with the folders`() throws {
        let swift = try program("bin/swift")
        for name in ["swiftc", "clang", "llvm-profdata"] { _ = try program("bin/\(name)") }
        #expect(throws: RunnerError.toolNotFound(name: "llvm-cov", directories: ["\(folder.path)/bin"])) {
            try ToolchainLocator(environment: [:]).tools(of: swift, information(resources: "/nowhere/lib/swift"))
        }
    }

    @Test func `the build systems are those that the help names, in whatever words`() {
        let list = """
              --build-system <build-system>
                                      Specify the build system to use. (default: native)
                    native            - Native Build System
                    swiftbuild        - Swift Build build engine (preview; recommended
              --explicit-target-dependency-import-check <mode>
                                      A native check.
            """
        #expect(ToolchainLocator.buildSystems(inHelp: list).isSuperset(of: ["native", "swiftbuild"]))
        let values =
            "  --build-system <system>  Which one. (values: swiftbuild, xcode)\n  --other <native>\n      native\n"
        #expect(!ToolchainLocator.buildSystems(inHelp: values).contains("native"))
        #expect(ToolchainLocator.buildSystems(inHelp: "USAGE: swift build\n") == [])
    }

    @Test func `the toolchain of this machine tells its versions`() async throws {
        let installation = try await ToolchainLocator(environment: ProcessInfo.processInfo.environment).locate()
        #expect(installation.toolchain.swiftVersion.contains("Swift version "))
        #expect(installation.toolchain.llvmVersion.hasPrefix("LLVM version "))
        #expect(installation.toolchain.buildSystem == .native)
        #expect(
            installation.tools == ToolPaths(directory: (installation.tools.swift as NSString).deletingLastPathComponent)
        )
    }
}
