import Foundation
import TestSupport

/// A toolchain of shell scripts in the place of programs: it knows one package and builds nothing.
struct ScriptedToolchain {
    /// The path of its `swift`.
    let swift: String

    /// Writes the scripts into a folder.
    ///
    /// - Parameters:
    ///   - target: The only target of the package `Kit`, of one file that is called like it.
    ///   - describing: What is done before the package is described, in its folder.
    ///   - building: What is done before a build fails, in the package's folder.
    ///   - isTest: Whether the target has tests.
    init(
        in folder: TemporaryFolder, target: String, describing: String = ":", building: String = ":",
        isTest: Bool = false
    ) throws {
        swift = "\(folder.path)/toolchain/bin/swift"
        func write(_ name: String, _ script: String) throws {
            let path = try folder.write("#!/bin/sh\n\(script)\n", to: "toolchain/bin/\(name)")
            chmod(path, 0o755)
            ProgramFile.awaitClosed(path)
        }
        let information = """
            {"compilerVersion": "Swift version 6.3.1", "target": {"triple": "t"}, \
            "paths": {"runtimeResourcePath": "/none"}}
            """
        let (type, parent) = isTest ? ("test", "Tests") : ("library", "Sources")
        let package = """
            {"name": "Kit", "targets": [{"name": "\(target)", "c99name": "\(target)", "type": "\(type)", \
            "module_type": "SwiftTarget", "path": "\(parent)/\(target)", "sources": ["\(target).swift"]}]}
            """
        for name in ["swiftc", "swift-frontend", "clang", "llvm-profdata"] { try write(name, "exit 1") }
        try write("llvm-cov", "echo 'LLVM version 21.0.0'")
        try write(
            "swift",
            """
            case "$1 $2" in
            "build --help-hidden") exit 64 ;;
            -print-target-info*) echo '\(information)' ;;
            package*) \(describing); echo '\(package)' ;;
            *) \(building); exit 1 ;;
            esac
            """)
    }
}
