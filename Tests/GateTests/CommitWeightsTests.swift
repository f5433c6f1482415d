import RunModel
import TestSupport
import Testing

@testable import Gate

@Suite struct CommitWeightsTests {
    /// Of a test that executes lines 3 to 9 of `F.swift`, and nothing of `G.swift` alone.
    private let weights = CommitWeights(SampleMaps.tests[0], by: SampleMaps.map)

    private func files(_ paths: String?..., package: String = "") -> ChangedFiles {
        ChangedFiles(paths: paths, package: package)
    }

    private func change(_ path: String, _ head: Range<Int>, base: Range<Int> = 1..<2) -> FileChange {
        FileChange(path: path, basePath: path, changes: [ChangedLines(base: base, head: head)])
    }

    @Test func `a commit counts by what of it the test executes`() {
        let source = "Sources/Core/F.swift"
        let touched = files(source)
        #expect(weights.asksForLines(of: touched))
        #expect(weights.weight(of: touched, changes: [change(source, 4..<5)]) == CommitWeights.related)
        #expect(weights.weight(of: touched, changes: [change(source, 40..<41)]) == CommitWeights.beside)
        // Nobody can compare it.
        #expect(weights.weight(of: touched) == CommitWeights.related)
        let gone = FileChange(path: nil, basePath: source, changes: [])
        #expect(weights.weight(of: touched, changes: [gone]) == CommitWeights.related)
        let exposed = FileChange(path: source, basePath: source, changes: [], exposed: [40..<41])
        #expect(weights.weight(of: touched, changes: [exposed]) == CommitWeights.related)
    }

    @Test func `lines are those of the commit, wherever they were when the map was made`() {
        let source = "Sources/Core/F.swift"
        let drift = [change(source, 1..<101, base: 1..<1)]
        let changed = [change(source, 104..<105)]
        #expect(weights.weight(of: files(source), changes: changed) == CommitWeights.beside)
        #expect(weights.weight(of: files(source), changes: changed, drift: drift) == CommitWeights.related)
        // The first line of the function is another one there.
        let rewritten = [change(source, 3..<4, base: 3..<4)]
        let elsewhere = [change(source, 80..<81)]
        #expect(weights.weight(of: files(source), changes: elsewhere, drift: rewritten) == CommitWeights.related)
    }

    @Test func `what no map knows may be what the test reads, and only texts for people are hardly anything`() {
        for path in ["Tests/CoreTests/A.swift", "Package.swift", "Sources/Core/Resources/list.json", nil] {
            #expect(weights.weight(of: files(path)) == CommitWeights.related)
            #expect(!weights.asksForLines(of: files(path)))
        }
        #expect(weights.weight(of: files("README.md", "docs/a.md")) == CommitWeights.words)
        #expect(weights.weight(of: files()) == CommitWeights.words)
        #expect(weights.weight(of: files("README.md", "Package.swift")) == CommitWeights.related)
        #expect(weights.weight(of: files("other/a.txt", package: "kit")) == CommitWeights.related)
        #expect(weights.weight(of: files("kit/README.md", package: "kit")) == CommitWeights.words)
    }

    @Test func `a source that only other tests execute is unlikely, unless nothing is known of the test`() {
        var map = SampleMaps.map
        map.sets[2].hasOthers = false
        map.sets[2].tests = [1]
        let known = CommitWeights(SampleMaps.tests[0], by: map)
        #expect(known.weight(of: files("Sources/Core/G.swift")) == CommitWeights.unrelated)
        #expect(!known.asksForLines(of: files("Sources/Core/G.swift")))
        let stranger = TestID(module: "CoreTests", suite: "", name: "new()")
        #expect(CommitWeights(stranger, by: map).weight(of: files("Sources/Core/G.swift")) == CommitWeights.related)
        #expect(CommitWeights(stranger, by: nil).weight(of: files("README.md")) == CommitWeights.words)
    }

    @Test func `no weight names a commit by itself`() {
        #expect(CommitWeights.related / CommitWeights.words <= 100)
    }
}
