import CodeCoverage
import Evidence
import RunModel

/// The merged shards of one run: results and coverage of all, and the gaps.
struct ShardUnion {
    /// The merged shards, in the order of their numbers.
    private(set) var shards: [ShardRun] = []
    private(set) var gaps: [Gap] = []
    private(set) var notes: [Note] = []
    private(set) var tests: [TestResult] = []
    private(set) var coverage: Coverage?
    /// Which tests execute which code, as far as the shards recorded it; `nil` where none did.
    private(set) var testMap: TestMap?
    let reference: ShardRun

    /// Merges the given shards; `nil` without any.
    init?(_ given: [ShardRun], expected: Int) {
        guard let consistency = ShardConsistency(given) else { return nil }
        reference = consistency.reference
        choose(given, consistency, expected: expected)
        uniteTests()
        uniteCoverage()
        uniteTestMaps()
    }

    // MARK: Which shards

    private mutating func choose(_ given: [ShardRun], _ consistency: ShardConsistency, expected: Int) {
        var taken: [Int: ShardRun] = [:]
        for shard in given {
            var faults = consistency.differences(of: shard)
            if let number = shard.shard {
                // A manifest is untrusted.
                if number.index < 1 || number.index > number.count {
                    faults.append("there is no shard \(number)")
                } else if number.count != expected {
                    faults.append("it is shard \(number), and \(expected) were expected")
                }
            } else {
                faults.append("it is not a shard")
            }
            let subject = "run \(shard.manifest.id.short)"
            guard let number = shard.shard, faults.isEmpty else {
                gaps.append(Gap(.shardForeign, subject: subject, detail: faults.joined(separator: ", ")))
                continue
            }
            if let other = taken[number.index] {
                let detail =
                    "shard \(number) is there twice, as runs \(other.manifest.id) and \(shard.manifest.id)"
                gaps.append(Gap(.shardDoubled, subject: "shard \(number)", detail: detail))
            } else {
                taken[number.index] = shard
            }
        }
        for index in 1...max(1, expected) where taken[index] == nil {
            let detail = "\(taken.count) of \(expected) shards were given"
            gaps.append(Gap(.shardMissing, subject: "shard \(index)/\(expected)", detail: detail))
        }
        shards = taken.sorted { $0.key < $1.key }.map(\.value)
    }

    // MARK: Results

    /// Merges the results, and checks that they cover all tests.
    private mutating func uniteTests() {
        var results: [TestID: (result: TestResult, shard: String)] = [:]
        var doubled: [(test: TestID, first: String, second: String)] = []
        for shard in shards {
            // A shard without tests has these gaps; whether there are any tests is checked below.
            gaps += shard.run.gaps.filter { ![.noTests, .allSkipped].contains($0.code) }.map { gap in
                Gap(gap.code, subject: gap.subject, detail: "\(shard.name): \(gap.detail)")
            }
            notes += shard.run.notes.map { Note($0.code, subject: $0.subject, detail: "\(shard.name): \($0.detail)") }
            for result in shard.run.tests {
                if let other = results[result.id] {
                    doubled.append((result.id, other.shard, shard.name))
                    // Neither may hide the failure of the other.
                    guard result.outcome.isFailure, !other.result.outcome.isFailure else { continue }
                }
                results[result.id] = (result, shard.name)
            }
        }
        if let first = doubled.min(by: { $0.test < $1.test }) {
            let detail =
                "tests in two shards: \(doubled.count), the first is \(first.test), "
                + "in \(first.first) and \(first.second)"
            gaps.append(Gap(.shardOverlap, detail: detail))
        }
        tests = results.values.map(\.result)
        addUnassigned(Set(results.keys))
        tests.sort { $0.id < $1.id }
    }

    private mutating func addUnassigned(_ seen: Set<TestID>) {
        guard let listed = shards.lazy.compactMap(\.listed).first ?? reference.listed else {
            guard !shards.contains(where: \.run.buildFailed), !shards.isEmpty else { return }
            gaps.append(Gap(.listUnavailable, detail: "no shard lists the tests, so the merged run may lack some"))
            return
        }
        let disabled = Set(
            reference.manifest.modules.filter { module in
                reference.run.selection.disabledTargets.contains { Name($0) == Name(module.name) }
            }.map { Name($0.compilerName) })
        let unassigned = listed.filter { !seen.contains($0.key) && !disabled.contains(Name($0.key.module)) }
        guard let first = unassigned.keys.min() else { return }
        tests += unassigned.map { TestResult(id: $0.key, library: $0.value, outcome: .notRun) }
        let detail = "\(unassigned.count) of \(listed.count) tests were run by no shard, the first is \(first)"
        gaps.append(Gap(.testsNotRun, detail: detail))
    }

    // MARK: Coverage

    private mutating func uniteCoverage() {
        let covered = shards.filter { $0.run.coverage != nil }
        guard let first = covered.first, var files = first.run.coverage?.files else { return }
        var functions = first.functions
        for shard in covered.dropFirst() {
            let other = shard.run.coverage?.files ?? []
            guard let united = Self.united(files, other) else {
                let detail = "\(shard.name) covers other files or other lines than \(first.name)"
                gaps.append(Gap(.shardForeign, subject: "coverage", detail: detail))
                return
            }
            files = united
            guard let more = shard.functions, functions != nil else {
                functions = nil
                continue
            }
            if let different = functions?.add(more).first {
                let detail = "\(shard.name) covers other functions of \(different) than \(first.name)"
                gaps.append(Gap(.shardForeign, subject: "coverage", detail: detail))
                functions = nil
            }
        }
        if covered.count > 1 { count(&files, functions) }
        coverage = Coverage(files: files, unattributed: first.run.coverage?.unattributed ?? [])
    }

    private mutating func uniteTestMaps() {
        let maps = shards.compactMap(\.run.testMap)
        guard !maps.isEmpty else { return }
        testMap = TestMap(uniting: maps)
        for shard in shards where shard.run.testMap == nil {
            // Those of Swift Testing are mapped only where that was requested.
            let tests = shard.run.tests.count { $0.library == .xctest && $0.outcome.wasExecuted }
            if tests > 0 {
                notes.append(
                    Note(.testMapMissing, detail: "\(shard.name) recorded none of its \(tests) tests of XCTest"))
            }
        }
    }

    /// Totals of two runs cannot be merged: regions and functions are counted again, or not at all.
    private mutating func count(_ files: inout [FileCoverage], _ functions: FunctionRegions?) {
        for place in files.indices {
            let tallies = functions?.tallies(of: files[place].path)
            files[place].regions = tallies?.regions ?? CoverageTally()
            files[place].functions = tallies?.functions ?? CoverageTally()
        }
        if functions == nil, !files.isEmpty {
            let detail = "regions and functions cannot be merged: not every shard recorded them one by one"
            notes.append(Note(.coverageMissing, detail: detail))
        }
    }

    /// The same files with the counts of both; `nil` when they are not the same files and lines.
    private static func united(_ left: [FileCoverage], _ right: [FileCoverage]) -> [FileCoverage]? {
        guard left.count == right.count else { return nil }
        var all = left
        for (place, other) in right.enumerated() {
            guard Name(all[place].path) == Name(other.path), all[place].lines.count == other.lines.count
            else { return nil }
            for (index, line) in other.lines.enumerated() {
                let mine = all[place].lines[index]
                guard mine.line == line.line else { return nil }
                all[place].lines[index] = LineCount(line: mine.line, count: mine.count.adding(line.count))
            }
            all[place].unexecuted = left[place].unexecutedByBoth(and: other)
            all[place].calledFunctions = left[place].functionsCalledByEither(or: other)
        }
        return all
    }
}
