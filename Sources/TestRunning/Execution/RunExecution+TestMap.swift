import CodeCoverage
import Evidence
import Foundation
import RunModel
import TestResults

extension RunExecution {
    /// What was recorded while the tests ran, process by process; nothing where nothing was, or where it cannot be read.
    ///
    /// No verdict depends on it: where it cannot be read, a note says so.
    mutating func readRecords() -> [[RecordedProcess]] {
        guard testIDs != nil else { return [] }
        do throws(MappingFault) {
            return try TestRecording(folder: files.testRecords).groups()
        } catch {
            noteUnreadableRecords(error)
            return []
        }
    }

    /// Works out which tests execute which code, from what was recorded.
    mutating func writeTestMap(
        of recorded: [[RecordedProcess]], _ mapping: CoverageMapping
    ) throws(RunnerError) {
        guard let testIDs else { return }
        let root = request.package.root + "/"
        var map: TestMap
        do throws(MappingFault) {
            var builder = TestMapBuilder(mapping) { path in
                path.hasPrefix(root) ? String(path.dropFirst(root.count)) : nil
            }
            for group in recorded { try builder.add(group) { testIDs[Name($0)] } }
            map = builder.map()
        } catch {
            return noteUnreadableRecords(error)
        }
        guard !map.tests.isEmpty else { return }
        let tests = Set(map.tests)
        map.durations = mappedDurations.filter { tests.contains($0.key) }
        try onFileSystem("write", files.testMap) { try Data(map.lines).write(to: URL(filePath: files.testMap)) }
    }

    private mutating func noteUnreadableRecords(_ fault: MappingFault) {
        notes.append(Note(.testMapMissing, detail: "the records of the tests cannot be read: \(fault)"))
    }

    /// Whether the tests that have run are to be mapped: always, or if they were short and none failed.
    var isMapDue: Bool {
        guard let limit = request.options.mapping.limit else { return true }
        guard gaps.isEmpty, !request.tests.isPartial else { return false }
        var sum = Duration.zero
        for pass in passes {
            var own = files
            own.passFolder = pass.folder
            let events = FileManager.default.contents(atPath: own.eventStream).map { Array($0) } ?? []
            for test in MappedTests(events).tests {
                guard !test.hasFailed, let duration = test.duration else { return false }
                sum += duration
            }
        }
        return sum <= limit
    }

    /// Runs the tests of Swift Testing once more, one at a time in each of several processes, to see which code each executes.
    ///
    /// In the pass that counts they run at the same time, as the package expects, and their counters cannot be told apart. A test
    /// that fails only here depends on what runs beside it, which is noted.
    mutating func map(
        _ invocation: TestInvocation, _ discovered: DiscoveredTests, _ subject: Subject
    ) async throws(RunnerError) {
        let tests = discovered.entries.filter { $0.library == .swiftTesting }
        guard engine == .direct, invocation.libraries != nil, !tests.isEmpty, !isCancelled else { return }
        progress(.began(.map))
        let begin = clock.now
        try makeDirectory(files.mapping)
        var rest = tests
        var failed: Set<TestID> = []
        // A test that takes its process down leaves the others to the next round.
        for round in 1...Self.mostRounds where !rest.isEmpty && !isCancelled && timeLeft > .zero {
            let ended = try await mapOnce(rest, round, invocation)
            failed.formUnion(ended.failed)
            let before = rest.count
            rest.removeAll { ended.begun.contains($0.id) }
            if rest.count == before { break }
        }
        if !rest.isEmpty, !isCancelled {
            notes.append(Note(.testMapMissing, detail: "\(rest.count) of \(tests.count) tests of Swift Testing"))
        }
        try noteOrderDependence(failed, subject)
        progress(.ended(.map, clock.now - begin))
    }

    private static let mostRounds = 20

    private struct MappingEnd {
        var begun: Set<TestID> = []
        var failed: Set<TestID> = []
    }

    private mutating func mapOnce(
        _ tests: [DiscoveredTests.Entry], _ round: Int, _ invocation: TestInvocation
    ) async throws(RunnerError) -> MappingEnd {
        let median = request.durations.median(of: tests.map(\.id)) ?? .milliseconds(10)
        let workers = LongestFirst.assign(
            tests.map { request.durations[$0.id] ?? median }, toWorkers: request.options.mapping.processes)
        var processes: [(name: String, command: ChildCommand, process: ChildProcess)] = []
        for worker in 0..<request.options.mapping.processes {
            let own = zip(tests, workers).filter { $1 == worker }.map(\.0)
            let plans = PassPlan.plans(.first, own).flatMap { invocation.products?.split($0) ?? [$0] }
            for (part, plan) in plans.enumerated() {
                let name = "map-\(round)-\(worker + 1)-\(part + 1)"
                try makeDirectory(files.mappingProfiles(of: name))
                let command = invocation.mapping(plan.tests ?? [], process: name)
                let limits = Supervision.Limits(
                    run: timeLeft, silence: request.options.limits.silence, grace: request.options.limits.grace)
                processes.append(
                    (name, command, ChildProcess(command, limits: limits, mergesStreams: true, isolation: isolation)))
            }
        }
        let outcomes = await withTaskGroup(of: (Int, Result<ChildOutcome, RunnerError>).self) { group in
            for (index, entry) in processes.enumerated() {
                group.addTask { (index, await entry.process.result(CapturedOutput(limit: 1 << 20))) }
            }
            var outcomes: [(Int, Result<ChildOutcome, RunnerError>)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }
        }
        var end = MappingEnd()
        for (index, outcome) in outcomes {
            record(.map, processes[index].command, try outcome.get())
            let events = files.mappingEvents(of: processes[index].name)
            let bytes = FileManager.default.contents(atPath: events).map { Array($0) } ?? []
            let list = testIDs ?? [:]
            for test in MappedTests(bytes).tests {
                guard let id = list[Name(test.name)] else { continue }
                end.begun.insert(id)
                if test.hasFailed { end.failed.insert(id) }
                mappedDurations[id] = test.duration
            }
        }
        return end
    }

    /// Notes tests that failed while they were mapped and did not in the pass that counts.
    private mutating func noteOrderDependence(_ failed: Set<TestID>, _ subject: Subject) throws(RunnerError) {
        var others = failed
        for number in passes.indices where !others.isEmpty { others.subtract(try report(of: number, subject).failed) }
        notes += others.sorted().map { test in
            Note(
                .orderDependent, subject: test.description,
                detail: "it passed among others, and failed where one test ran at a time")
        }
    }
}

extension ChildProcess {
    /// Runs the child, its error as a value.
    fileprivate func result(_ observer: some ChildObserver) async -> Result<ChildOutcome, RunnerError> {
        do throws(RunnerError) {
            return .success(try await run(observer))
        } catch {
            return .failure(error)
        }
    }
}
