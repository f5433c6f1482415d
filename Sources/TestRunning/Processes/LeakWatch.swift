/// Notices that `swift test` waits for a process which a test left behind.
///
/// `swift test` reads its test process until the end of the output. A process that a test left behind keeps that output
/// open, so that the wait lasts as long as that process does, although all tests are over. The signs: the test process
/// is a zombie, and there are processes whose parents are gone.
struct LeakWatch: Sendable, Hashable {
    /// How long the signs have to stay.
    var window: Duration = .milliseconds(200)
    private var since: Duration?

    init(window: Duration = .milliseconds(200)) { self.window = window }

    /// Looks at the processes and answers those to end: everything below `reaper` that is not below `child`.
    mutating func observe(_ table: ProcessTable, child: Int32, reaper: Int32, at now: Duration) -> [ProcessEntry] {
        let orphans = table.children(of: reaper).filter { $0.pid != child && !$0.isZombie }
        guard !orphans.isEmpty, table.children(of: child).contains(where: \.isZombie) else {
            since = nil
            return []
        }
        guard let since else {
            self.since = now
            return []
        }
        guard now - since >= window else { return [] }
        self.since = nil
        return orphans.flatMap { [$0] + table.descendants(of: $0.pid) }
    }
}
