import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// Names the tests that the sources declare and that were not discovered: nobody runs them.
    ///
    /// - Parameter main: The package's own main, relative to it; `nil` if SwiftPM wrote one.
    mutating func judgeDiscovery(
        _ discovered: DiscoveredTests, _ modules: [Module], main: String?
    ) throws(RunnerError) {
        var sources: [UndiscoveredTests.Source] = []
        for module in modules where module.isSwift && [.test, .library, .executable].contains(module.kind) {
            for path in module.sourcePaths {
                sources.append(
                    UndiscoveredTests.Source(
                        module: module.compilerName, isTest: module.kind == .test, bytes: try bytes(of: path)))
            }
        }
        let listed = Set(discovered.entries.map(\.id))
        let missing = UndiscoveredTests(in: sources, listed: listed, ownToo: main != nil).missing
        guard let first = missing.first else { return }
        let names = missing.prefix(5).map(\.description).joined(separator: ", ")
        let others = missing.count > 5 ? ", and \(missing.count - 5) more" : ""
        let (count, them) = missing.count == 1 ? ("1 test is", "it") : ("\(missing.count) tests are", "them")
        let detail = "\(count) not run, though the sources declare \(them): \(names)\(others)"
        switch request.options.undiscoveredTests {
        case .note: notes.append(Note(.testsUndiscovered, subject: first.description, detail: detail))
        case .gap: gaps.append(Gap(.testsUndiscovered, subject: first.description, detail: detail))
        }
    }

    /// The package's own main, relative to it; `nil` if SwiftPM writes one. It is looked for as SwiftPM does: beside the folder of a
    /// test target, and in the folders above.
    func ownMain(of modules: [Module]) -> String? {
        for module in modules where module.kind == .test {
            var parts = module.path.split(separator: "/")
            while !parts.isEmpty {
                parts.removeLast()
                for name in ["XCTMain.swift", "LinuxMain.swift"] {
                    let path = (parts + [Substring(name)]).joined(separator: "/")
                    if FileManager.default.fileExists(atPath: "\(request.package.root)/\(path)") { return path }
                }
            }
        }
        return nil
    }

    /// What is known of Swift Testing where the package's own main did not list its tests: such a main runs XCTest, as does `swift test`
    /// then. Tests of Swift Testing are a gap.
    mutating func listWithoutSwiftTesting(main: String, _ modules: [Module]) throws(RunnerError) -> DiscoveredTests? {
        var importing: [String] = []
        for module in modules where module.kind == .test && module.isSwift {
            for path in module.sourcePaths where try bytes(of: path).imports("Testing") { importing.append(path) }
        }
        guard let first = importing.first else {
            notes.append(
                Note(
                    .ownMain, subject: main,
                    detail: "it runs the tests of XCTest that it names; there are none of Swift Testing"))
            return DiscoveredTests()
        }
        let count = importing.count == 1 ? "1 source has" : "\(importing.count) sources have"
        gaps.append(
            Gap(.ownMain, subject: main, detail: "it runs no test of Swift Testing, and \(count) such tests: \(first)"))
        return DiscoveredTests()
    }

    private func bytes(of path: String) throws(RunnerError) -> [UInt8] {
        let place = "\(request.package.root)/\(path)"
        return Array(try onFileSystem("read", place) { try Data(contentsOf: URL(filePath: place)) })
    }
}

extension [UInt8] {
    /// Whether a source imports a module, in any of the ways that there are; a comment that says so counts too.
    fileprivate func imports(_ module: String) -> Bool {
        let text = String(decoding: self, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            guard let place = words.firstIndex(of: "import") else { return false }
            return words[(place + 1)...].contains { $0 == module }
        }
    }
}
