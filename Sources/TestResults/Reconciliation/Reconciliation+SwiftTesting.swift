import RunModel

extension Reconciliation {
    mutating func reconcileSwiftTesting() {
        guard evidence.selection.runsSwiftTesting else { return }
        let listed = evidence.swiftTestingList?.functions ?? []
        let events = evidence.events
        let seen = events?.functions ?? []
        // A filtered run names what it selected before it begins; otherwise everything listed has to run.
        let isSelectionKnown = evidence.selection.isPartial && events?.hasStarted == true
        let ids = TestDiscriminators(seen.map(\.id) + listed.map(\.id))
        let known = Set(seen.map(\.id))
        let unseen = listed.filter { function in
            !known.contains(function.id) && evidence.selection.includes(ids[function.id]) ?? !isSelectionKnown
        }
        let functions = seen + unseen
        let open = OpenTests(functions, evidence.transcript, evidence.paths)
        let attachments = AttachmentList(manifest)
        var missing: [TestID] = []
        for function in functions {
            let id = ids[function.id]
            var result = function.result(id: id, paths: evidence.paths) { attemptOfOpenTest($0, open) }
            result.attachments = attachments.kept(of: function.attached)
            if result.outcome == .notRun { missing.append(id) }
            if open.contains(function) {
                running = id
                if result.outcome == .notRun {
                    bystanders.append(id)
                } else if result.outcome == .crashed, open.functions.count > 1, !open.isOwner(function) {
                    if open.hasOwner { bystanders.append(id) } else { suspects.append(id) }
                }
            }
            tests.append(result)
        }
        if !suspects.isEmpty {
            let manner = manner(.swiftTesting)
            suspectedCrash = open.crash.map { words(on: $0) } ?? (manner.isEmpty ? nil : "it ended\(manner)")
        }
        isSettled[.swiftTesting] = functions.isEmpty || events?.hasEnded == true || !open.functions.isEmpty
        fillFromXUnit(&missing, library: .swiftTesting)
        for stray in events?.strayIssues ?? [] { addStray(stray.issue, subject: stray.suite) }
        compareLists(seen, listed, ids)
        notes += attachments.note(seen.flatMap(\.attached)).map { [$0] } ?? []
    }

    private mutating func compareLists(
        _ seen: [EventStream.Function],
        _ listed: [EventStream.Function],
        _ ids: TestDiscriminators
    ) {
        guard evidence.swiftTestingList != nil else { return }
        let known = Set(listed.map(\.id))
        let unlisted = seen.filter { !known.contains($0.id) }
        guard let first = unlisted.first else { return }
        let name = ids[first.id]
        gaps.append(
            Gap(.listMismatch, detail: "\(unlisted.count) results are of tests not listed, the first is \(name)"))
    }

    private func attemptOfOpenTest(_ function: EventStream.Function, _ open: OpenTests) -> TestAttempt {
        let name = function.id.text
        let outcome = outcomeOfOpenTest(name, in: .swiftTesting)
        // Where the stack names none of the tests that were running, each gets the cause.
        let isBystander = open.hasOwner && !open.isOwner(function)
        let issue = issueOfOpenTest(name, outcome, isBystander ? nil : open.crash(of: function), in: .swiftTesting)
        // Whoever is not to blame for the end of the process has failed anyway, if a failure was recorded by then.
        let isBlamed = outcome == .timedOut || (outcome == .crashed && !isBystander)
        let hasFailed = function.executions.last?.issues.contains(where: \.isFailure) == true
        return TestAttempt(outcome: hasFailed && !isBlamed ? .failed : outcome, issues: [issue])
    }
}

/// The tests that were running when their process ended, of which several may have been, and the crash that ended it.
private struct OpenTests {
    let functions: [EventStream.Function]
    let crash: Crash?
    private let ids: Set<EventTestID>
    /// The first thread on whose stack a test's function is, for each test that has one.
    private let threads: [EventTestID: Int]
    /// The crash as each of its threads shows it, with the package's own frames only: made once, since many tests may ask for it.
    private let views: [Crash]

    init(_ all: [EventStream.Function], _ transcript: Transcript?, _ paths: PackagePaths) {
        let functions = all.filter { $0.executions.last.map { $0.end == nil } == true }
        // One in an XCTest case is that case's.
        let crash =
            functions.isEmpty
            ? nil
            : transcript?.crashes.last { crash in
                crash.execution.map { transcript?.executions[$0].end != nil } ?? true
            }
        let stacks: [[Crash.Frame]] = crash.map { [$0.frames] + $0.others } ?? []
        var search = StackSearch(stacks)
        var threads: [EventTestID: Int] = [:]
        for function in functions { threads[function.id] = search.thread(of: function.id.test) }
        self.functions = functions
        self.crash = crash
        self.threads = threads
        ids = Set(functions.map(\.id))
        views = stacks.map { stack in
            var view = crash ?? Crash()
            (view.frames, view.others) = (paths.ownFrames(of: stack), [])
            return view
        }
    }

    var hasOwner: Bool { !threads.isEmpty }

    func contains(_ function: EventStream.Function) -> Bool { ids.contains(function.id) }

    /// Whether the test's function is on a stack of the crash.
    func isOwner(_ function: EventStream.Function) -> Bool { threads[function.id] != nil }

    /// The crash as far as it concerns a test: with the stack of the thread that it runs on, where one can be told.
    func crash(of function: EventStream.Function) -> Crash? {
        if let thread = threads[function.id] { return views[thread] }
        // Somewhere in the package others are at work, too.
        return functions.count > 1 ? views.first : crash
    }
}
