/// Detects that SwiftPM waits for a process that a test left behind.
///
/// SwiftPM reads the output of its child to its end. A leaked process keeps that output open, so SwiftPM waits for it
/// although all tests are over. The signs: a child of SwiftPM is a zombie and stays one, and there are orphans.
struct LeakWatch: Sendable, Hashable {
    /// How long the signs must last.
    var window: Duration = .milliseconds(200)
    private var since: Duration?
    /// The zombies that were there all the while.
    private var zombies: Set<Int32> = []

    init(window: Duration = .milliseconds(200)) { self.window = window }

    /// Checks the signs and returns whether to end the orphans.
    ///
    /// - Parameters:
    ///   - hasOrphans: Whether there are orphans.
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
