import Foundation
import RunModel
import TestSupport

@testable import Mutation

/// Sources with what the compiler of Swift 6.3.1 printed of them (`swiftc -frontend -dump-parse -dump-ast-format json`).
struct SampleSource {
    let source: [UInt8]
    let syntax: Data

    init(_ name: String) throws {
        let folder = Bundle.module.bundleURL.appending(path: "Fixtures")
        source = Array(try Data(contentsOf: folder.appending(path: "\(name).swift.txt")))
        syntax = try Data(contentsOf: folder.appending(path: "\(name).json"))
    }

    /// With mutants on all lines, or on some.
    func mutated(changed: [Range<Int>] = [1..<1_000]) -> MutatedSource? {
        guard
            var mutated = MutatedSource(
                path: "Sources/A/Sample.swift", source: source, changed: changed, syntax: syntax)
        else { return nil }
        _ = mutated.number(from: 1)
        return mutated
    }
}
