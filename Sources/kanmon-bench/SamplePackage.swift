import Foundation
import RunModel

/// What the made-up histories are made of: modules of 25 files each, their coverage, and how long tests take.
enum SamplePackage {
    /// How many files a module has.
    private static let filesOfModule = 25

    static func modules(files: Int) -> [Module] {
        (0..<max(1, files / filesOfModule)).map { index in
            Module(
                name: "Module\(index)", compilerName: "Module\(index)", kind: .library, isSwift: true,
                path: "Sources/Module\(index)",
                sources: (0..<filesOfModule).map { "File\(index * filesOfModule + $0).swift" }, dependencies: [])
        }
    }

    /// Nanoseconds between a tenth of a millisecond and a second, most of them short.
    static func durations(tests: Int, _ random: inout SampleRandom) -> [Double] {
        (0..<tests).map { _ in 1e5 * pow(10, 4 * pow(random.unit(), 2)) }
    }

    static func file(_ index: Int, _ random: inout SampleRandom) -> FileCoverage {
        var lines: [LineCount] = []
        var line: Int32 = 5
        var isCovered = true
        while lines.count < 180 {
            for _ in 0..<(3 + random.below(30)) {
                lines.append(
                    LineCount(line: line, count: ExecutionCount(isCovered ? UInt64(1 + random.below(900)) : 0)))
                line += 1
            }
            line += Int32(random.below(4))
            isCovered = !isCovered || random.below(8) > 0
        }
        return FileCoverage(
            path: "Sources/Module\(index / filesOfModule)/File\(index).swift", module: "Module\(index / filesOfModule)",
            sourceHash: random.digits(64), lines: lines,
            regions: CoverageTally(covered: 40 + random.below(10), total: 50),
            functions: CoverageTally(covered: 10 + random.below(3), total: 12))
    }
}
