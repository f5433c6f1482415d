/// Notices that SwiftPM waits for a process which a test left behind.
///
/// SwiftPM reads what it starts until the end of the output. A process that a test left behind keeps that output open, so
/// that the wait lasts as long as that process does, although all tests are over. The signs: what SwiftPM started is a
/// zombie and stays one, and there are processes whose parents are gone.
struct LeakWatch: Sendable, Hashable {
    /// How long the signs have to stay.
    var window: Duration = .milliseconds(200)
    private var since: Duration?
    /// The zombies that were there all the while.
    private var zombies: Set<Int32> = []

    init(window: Duration = .milliseconds(200)) { self.window = window }

    /// Looks at the signs and answers whether the time has come to end what has no parent any more.
    ///
    /// - Parameters:
    ///   - hasOrphans: Whether there are processes whose parents are gone.
    ///   - zombies: The numbers of the children of the child that have ended; only asked for where there are orphans.
    mutating func observe(hasOrphans: Bool, zombies: @autoclosure () -> Set<Int32>, at now: Duration) -> Bool {
        let found = hasOrphans ? zombies() : []
        guard let since, !self.zombies.isDisjoint(with: found) else {
            since = found.isEmpty ? nil : now
            self.zombies = found
            return false
        }
        self.zombies.formIntersection(found)
        guard now - since >= window else { return false }
        self.since = nil
        return true
    }
}
