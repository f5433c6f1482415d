import CProcess
import Foundation
import RunModel

/// Watches one child on one thread.
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
    private var throttle: PipeThrottle
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
        throttle = PipeThrottle(capacity: Int(started.capacity))
    }

    /// Releases all resources. A remaining reaper ends with its last child.
    mutating func close() {
        for descriptor in [reports, control, output, error] where descriptor >= 0 { Glibc.close(descriptor) }
        buffer.deallocate()
        // The reaper removes it, unless it was killed itself.
        if let cgroup { rmdir(cgroup) }
    }

    /// Waits for the end of the tree, and passes the output to the observer.
    mutating func watch(_ observer: some ChildObserver) throws(RunnerError) -> ChildOutcome {
        var lastLook = Duration.zero
        while supervision.phase != .gone {
            let isCutShort = wait(until: lastLook + Self.look)
            let count = drain(output, .output, observer) + drain(error, .error, observer)
            if count > 0 { feed(.activity, observer) }
            throttle.take(count, afterRestCutShort: isCutShort)
            try readReports(observer)
            for request in wake.requests() {
                switch request {
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
        // The rest in the pipes; other processes may keep them open, so there is no wait for more.
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

    /// The processes that outlived the child. One that forks and exits without pause may not be found.
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

    /// Sends SIGTERM to every process once, also to new ones: a second one makes some programs exit without clean-up.
    private mutating func askToEnd() {
        for entry in ProcessTable.current().descendants(of: reaper) where asked.insert(entry.pid).inserted {
            kill(entry.pid, SIGTERM)
        }
    }

    /// Records what every process is doing, and sends a signal on which the Swift runtime of each test process prints
    /// its stack before it ends.
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
        // All orphans are ended, because none is needed by tests that are over. A process that forks and exits
        // without pause may disappear before the table is read, and children of an ended orphan become orphans too.
        // So this repeats until none is left, or until other work is due.
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

    /// The orphans, with ended ones; avoids reading all of `/proc` if the kernel lists children.
    private func numbersOfOrphans() -> [Int32] {
        let children =
            ProcessTable.numbersOfChildren(of: reaper) ?? ProcessTable.current().children(of: reaper).map(\.pid)
        return children.filter { $0 != child }
    }

    /// Waits for an event, at most until `moment`; for output only if it does not flow.
    ///
    /// - Returns: Whether a pause ended early, except slightly early for the next look.
    private func wait(until moment: Duration) -> Bool {
        let deadline = min(moment, supervision.nextDeadline ?? moment)
        let left = max(.zero, deadline - elapsed) + .milliseconds(1)
        let rest = throttle.rest
        let isResting = rest != nil
        let watched = [isResting ? -1 : output, isResting ? -1 : error, reports, wake.readEnd]
        var entries = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let nanoseconds = min(left, rest ?? left) / .nanoseconds(1)
        let news = cprocess_poll(&entries, UInt(entries.count), Int64(nanoseconds))
        return rest.map { news != 0 || $0 > left * 2 } ?? false
    }

    /// Passes on the content of a pipe, and returns its size; stops at a limit for a pipe that fills as fast as it is
    /// read.
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
            // A short read means that the pipe is empty.
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

    /// Ends the processes of a killed reaper, which a test may hit when it kills its parent: everything in its
    /// session, and processes that left the session and were adopted by this process.
    private mutating func endOrphans() {
        if let cgroup, let kill = fopen("\(cgroup)/cgroup.kill", "we") {
            fputs("1", kill)
            fclose(kill)
        }
        let own = getsid(0)
        let deadline = elapsed + supervision.limits.timeout
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

    /// The name of the reaper process.
    private static let reaperName = "kanmon-reaper"

    private mutating func finish(_ termination: Termination, _ observer: some ChildObserver) {
        end = (termination, elapsed)
        feed(.ended, observer)
    }
}
