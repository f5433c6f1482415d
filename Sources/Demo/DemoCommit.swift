/// A commit of the made-up history that came in without a run.
public struct DemoCommit: Sendable {
    /// The commit.
    public let commit: String
    /// The first line of its message.
    public let subject: String

    /// The commits that somebody pushed past the gate: two in the large package, none in the small one.
    public static func unverified(of project: String) -> [DemoCommit] {
        guard project == DemoHistory.videoKit.package.project else { return [] }
        return ["Hotfix: サムネイルの幅が0になる", "Merge branch 'release/2.4' without waiting for the gate"].map {
            DemoCommit(commit: Noise.hash("unverified \($0)"), subject: $0)
        }
    }
}
