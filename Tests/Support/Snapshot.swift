public import Foundation
public import Testing

/// Holds `text` against a recorded file.
///
/// `KANMON_REFRESH=1 scripts/test` writes what is there now; `git diff` then shows what changed.
///
/// - Parameters:
///   - text: What was made.
///   - path: The recorded file, relative to the top of the repository.
public func expectSnapshot(_ text: String, at path: String, sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let file = Checkout.top.appending(path: path)
    if ProcessInfo.processInfo.environment["KANMON_REFRESH"] == "1" {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        } catch {
            Issue.record("cannot refresh \(path): \(error)", sourceLocation: sourceLocation)
        }
        return
    }
    guard let recorded = try? String(contentsOf: file, encoding: .utf8) else {
        Issue.record("\(path) is not recorded yet; run with KANMON_REFRESH=1", sourceLocation: sourceLocation)
        return
    }
    guard !recorded.utf8.elementsEqual(text.utf8) else { return }
    let old = recorded.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    Issue.record(
        """
        \(path):\(line + 1) differs
        recorded: \(line < old.count ? String(old[line]) : "(end)")
        now:      \(line < new.count ? String(new[line]) : "(end)")
        """,
        sourceLocation: sourceLocation
    )
}

/// The checkout that the tests were built from.
public enum Checkout {
    /// Its top folder.
    public static let top = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
