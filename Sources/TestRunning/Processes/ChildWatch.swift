import CProcess
import Foundation
import RunModel

/// One child being watched; lives on one thread.
struct ChildWatch {
    private let clock = RunClock()
    private let startedAt: RunClock.Instant
    private let program: String
    private let waitsForOutput: Bool
    private let wake: WakePipe
    private let reaper: Int32
    private let cgroup: String?
    private var reports: Int32
    private var control: Int32
    private var output: Int32
    private var error: Int32
    private var supervision: Supervision
    private var leakWatch: LeakWatch
    private var child: Int32?
    private var end: (Termination, Duration)?
    private var leaked: [ProcessEntry] = []
    private var processes: [String] = []
    private var asked: Set<Int32> = []
    private var pace: ReadingPace
    private let buffer: UnsafeMutableRawBufferPointer

    private static let look = Duration.milliseconds(100)
    private static let longestDrain = 4 << 20

    /// Starts the child.
    init(_ process: ChildProcess, wake: WakePipe) throws(RunnerError) {
        self.wake = wake
        program = process.command.executable
        waitsForOutput = process.command.waitsForOutput
        supervision = Supervision(limits: process.limits)
        leakWatch = LeakWatch(window: process.limits.leakWindow)
        var outputEnds: [Int32] = [-1, -1]
        var errorEnds: [Int32] = [-1, -1]
        var isStarted = false
        defer {
            let ends = [outputEnds[1], errorEnds[1]] + (isStarted ? [] : [outputEnds[0], errorEnds[0]])
            for descriptor in ends where descriptor >= 0 { Glibc.close(descriptor) }
        }
        try systemCall("make", "a pipe") { cprocess_pipe(&outputEnds) }
        if !process.mergesStreams { try systemCall("make", "a pipe") { cprocess_pipe(&errorEnds) } }
        if case .cgroup(let parent) = process.isolation {
            do throws(CgroupRefusal) {
                cgroup = try CgroupFolder.make(in: parent)
            } catch {
                throw .isolationRefused(.cgroup, reason: error.reason)
            }
        } else {
            cgroup = nil
        }
        output = outputEnds[0]
        error = errorEnds[0]
        for descriptor in [output, error] where descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }

        startedAt = clock.now
        var started = cprocess_child()
        let failure = process.command.withUnsafeCommand(
            output: outputEnds[1], error: process.mergesStreams ? outputEnds[1] : errorEnds[1],
            isNamespaced: process.isolation == .pidNamespace, cgroup: cgroup
        ) { cprocess_start($0, &started) }
        guard failure == 0 else {
            if let cgroup { rmdir(cgroup) }
            throw .notStarted(program: program, errno: failure)
        }
        isStarted = true
        buffer = .allocate(byteCount: 256 << 10, alignment: 16)
        reaper = started.reaper
        reports = started.reports
        control = started.control
        pace = ReadingPace(capacity: Int(started.capacity))
    }

    /// Gives back what the system lent. The reaper, should it still be there, ends with its last child.
    mutating func close() {
        for descriptor in [reports, control, output, error] where descriptor >= 0 { Glibc.close(descriptor) }
        buffer.deallocate()
        // The reaper has done that, unless it was killed itself.
        if let cgroup { rmdir(cgroup) }
    }

    /// Waits for the end of the tree, feeding the observer.
    mutating func watch(_ observer: some ChildObserver) throws(RunnerError) -> ChildOutcome {
        var lastLook = Duration.zero
        while supervision.phase != .gone {
            let isCutShort = wait(until: lastLook + Self.look)
            let count = drain(output, .output, observer) + drain(error, .error, observer)
            if count > 0 { feed(.activity, observer) }
            pace.take(count, afterRestCutShort: isCutShort)
            try readReports(observer)
            for wish in wake.wishes() {
                switch wish {
                case .end: feed(.cancelled, observer)
                case .kill: feed(.killRequested, observer)
                }
            }
            if elapsed - lastLook >= Self.look {
                lastLook = elapsed
                let signs = observer.look()
                if signs.contains(.activity) { feed(.activity, observer) }
                if signs.contains(.overdueTest) { feed(.testOverdue, observer) }
                endOrphansWaitedFor()
                if case .terminating = supervision.phase { askToEnd() }
            }
            feed(.tick, observer)
        }
        // What is still in the pipes; whoever may hold them open, nobody waits for more.
        while drain(output, .output, observer) + drain(error, .error, observer) > 0 {}
        _ = observer.look()
        let (termination, duration) = end ?? (.signaled(SIGKILL), elapsed)
        return ChildOutcome(
            termination: termination, duration: duration, cause: supervision.cause, leaked: leaked,
            processes: processes
        )
    }

    private var elapsed: Duration { clock.now - startedAt }

    private mutating func feed(_ event: Supervision.Event, _ observer: some ChildObserver) {
        switch supervision.receive(event, at: elapsed) {
        case nil: break
        case .diagnose:
            observer.willEnd()
            askWhereTheyHang()
        case .terminate: askToEnd()
        case .endLeaked:
            for entry in whatIsLeft() { noteLeaked(entry) }
            closeControl()
        case .kill: closeControl()
        case .abandon:
            for entry in ProcessTable.current().descendants(of: reaper) where !entry.isZombie { noteLeaked(entry) }
        }
    }

    /// What outlived the child. One that forks and ends without pause may be seen as nothing but what it left of itself.
    private func whatIsLeft() -> [ProcessEntry] {
        for _ in 0..<10 {
            let orphans = numbersOfOrphans().compactMap { ProcessEntry(pid: $0) }
            guard !orphans.isEmpty else { continue }
            let known = Set(orphans.map(\.pid))
            let below = ProcessTable.current().descendants(of: reaper).filter {
                !known.contains($0.pid) && $0.pid != child
            }
            let alive = (orphans + below).filter { !$0.isZombie }
            return alive.isEmpty ? orphans : alive
        }
        return []
    }

    /// Asks every process once, also those that were only just started: a second request makes some programs give up
    /// their good manners.
    private mutating func askToEnd() {
        for entry in ProcessTable.current().descendants(of: reaper) where asked.insert(entry.pid).inserted {
            kill(entry.pid, SIGTERM)
        }
    }

    /// Notes what every process is doing, and has the Swift runtime of each test process print where it is: that is what
    /// it does on this signal, before it dies of it.
    private mutating func askWhereTheyHang() {
        let tree = ProcessTable.current().descendants(of: reaper).filter { !$0.isZombie }
        processes = tree.map(\.activity)
        for entry in tree where entry.isTestProcess { kill(entry.pid, SIGQUIT) }
    }

    /// The reaper sends SIGKILL to the whole tree.
    private mutating func closeControl() {
        guard control >= 0 else { return }
        Glibc.close(control)
        control = -1
    }

    private mutating func endOrphansWaitedFor() {
        guard waitsForOutput, let child, end == nil, case .started = supervision.phase else { return }
        let isWaiting = leakWatch.observe(
            hasOrphans: !numbersOfOrphans().isEmpty,
            zombies: Set(ProcessTable.current().children(of: child).filter(\.isZombie).map(\.pid)), at: elapsed)
        guard isWaiting else { return }
        // Who holds the output open is not looked for: nothing that has lost its parent is of use to tests that are over.
        // One that forks and ends without pause is gone before a whole table is read, and what an orphan started falls to
        // the reaper with its end: so it is looked again until none is left, or others have to get their turn.
        let deadline = elapsed + Self.look / 2
        while elapsed < deadline {
            let orphans = numbersOfOrphans()
            if orphans.isEmpty { return }
            for pid in orphans {
                guard let entry = ProcessEntry(pid: pid), entry.parent == reaper, !entry.isZombie else { continue }
                if kill(pid, SIGKILL) == 0 { noteLeaked(entry) }
            }
            usleep(100)
        }
    }

    private mutating func noteLeaked(_ entry: ProcessEntry) {
        if !leaked.contains(where: { $0.pid == entry.pid }) { leaked.append(entry) }
    }

    /// The processes whose parents are gone, also those that have ended: a glance that spares reading all of `/proc` where the
    /// kernel lists children.
    private func numbersOfOrphans() -> [Int32] {
        let children =
            ProcessTable.numbersOfChildren(of: reaper) ?? ProcessTable.current().children(of: reaper).map(\.pid)
        return children.filter { $0 != child }
    }

    /// Waits for news, at most until a moment; for output itself only where it does not flow.
    ///
    /// - Returns: Whether a rest was cut short; one that ended a little before its time, for the next look, was not.
    private func wait(until moment: Duration) -> Bool {
        let deadline = min(moment, supervision.nextDeadline ?? moment)
        let left = max(.zero, deadline - elapsed) + .milliseconds(1)
        let rest = pace.rest
        let isResting = rest != nil
        let watched = [isResting ? -1 : output, isResting ? -1 : error, reports, wake.readEnd]
        var entries = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let nanoseconds = min(left, rest ?? left) / .nanoseconds(1)
        let news = cprocess_poll(&entries, UInt(entries.count), Int64(nanoseconds))
        return rest.map { news != 0 || $0 > left * 2 } ?? false
    }

    /// Hands on what is in a pipe, and answers how much that was; a pipe that fills as fast as it is read is left again.
    private mutating func drain(_ descriptor: Int32, _ stream: ChildStream, _ observer: some ChildObserver) -> Int {
        guard descriptor >= 0 else { return 0 }
        var total = 0
        while total < Self.longestDrain {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 {
                observer.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: stream)
                total += count
            }
            if count == 0 {
                Glibc.close(descriptor)
                if stream == .output { output = -1 } else { error = -1 }
            }
            // Less than was asked for is all there is.
            if count < buffer.count { return total }
        }
        return total
    }

    private mutating func readReports(_ observer: some ChildObserver) throws(RunnerError) {
        var entry = pollfd(fd: reports, events: Int16(POLLIN), revents: 0)
        while reports >= 0, poll(&entry, 1, 0) > 0 {
            var report = cprocess_report()
            let size = MemoryLayout<cprocess_report>.size
            guard Glibc.read(reports, &report, size) == size else {
                Glibc.close(reports)
                reports = -1
                // It has no child any more, so it ends at once.
                waitpid(reaper, nil, 0)
                if end == nil { endOrphans() }
                feed(.treeEnded, observer)
                return
            }
            switch cprocess_report_kind(UInt32(bitPattern: report.kind)) {
            case CPROCESS_STARTED: child = report.value
            case CPROCESS_NOT_STARTED:
                closeControl()
                waitpid(reaper, nil, 0)
                throw .notStarted(program: program, errno: report.value)
            case CPROCESS_SIGNALED: finish(.signaled(report.value), observer)
            default: finish(.exited(report.value), observer)
            }
        }
    }

    /// Ends what a reaper left behind that was killed itself: a test that means to end its parent may hit it. Everything
    /// in its session, and what left that session and fell to this process.
    private mutating func endOrphans() {
        if let cgroup, let kill = fopen("\(cgroup)/cgroup.kill", "we") {
            fputs("1", kill)
            fclose(kill)
        }
        let own = getsid(0)
        let deadline = elapsed + supervision.limits.patience
        while elapsed < deadline {
            let orphans = ProcessTable.current().entries.filter { entry in
                entry.session == reaper
                    || entry.parent == getpid() && entry.session != own && entry.name != Self.reaperName
            }
            guard !orphans.isEmpty else { return }
            for orphan in orphans {
                if !orphan.isZombie, asked.insert(-orphan.pid).inserted { leaked.append(orphan) }
                kill(orphan.pid, SIGKILL)
                if orphan.parent == getpid() { waitpid(orphan.pid, nil, WNOHANG) }
            }
            usleep(1000)
        }
    }

    /// What the reaper calls itself.
    private static let reaperName = "kanmon-reaper"

    private mutating func finish(_ termination: Termination, _ observer: some ChildObserver) {
        end = (termination, elapsed)
        feed(.ended, observer)
    }
}
