import Foundation
import Gate
import RunModel
import Wording

/// The tests that fail on a project's default branch, and the entries of its quarantine that have ended or end soon, each as an entry of
/// an Atom feed.
///
/// The id of a test holds the run in which the failure began, so that one that fails again is told of again; that of an entry of the
/// quarantine holds its last day, so that one that was prolonged is told of again, too.
public struct RegressionFeed: Sendable {
    /// The feed.
    public let xml: String

    /// Writes the feed.
    ///
    /// - Parameters:
    ///   - owner: Whose tests and entries these are; `nil` where they are everybody's.
    ///   - key: What it is read with; its address needs it, its identity does not have it.
    ///   - root: The beginning of every link: `http://localhost:8720`.
    ///   - links: How links are written behind it.
    public init(
        _ state: ProjectState, owner: String? = nil, key: String? = nil, root: String, links: Links = .dashboard
    ) {
        let text = { (text: String) in Markup.escaped(text) }
        let root = text(root)
        let moments = state.regressions.map(\.since.startedAt) + state.expiring.map(\.shownSince)
        let updated = moments.max() ?? state.latest?.startedAt ?? Date(timeIntervalSince1970: 0)
        let exceptions = text(links.href(.list(.exceptions, project: state.name)))
        let expiring = state.expiring.map { entry in
            """
            <entry><id>\(root)\(exceptions)#\(text(PercentEncoding.encode(entry.test)))@\(entry.expires)</id>\
            <title>\(text("the quarantine of \(entry.test)")) ends on \(entry.expires)</title>\
            <updated>\(Timestamp.utc(entry.shownSince))</updated><link href="\(root)\(exceptions)"/>\
            <summary>\(text("\(entry.owner): \(entry.reason)"))</summary></entry>

            """
        }
        let entries = state.regressions.map { regression in
            let href = text(links.href(.test(regression.test, project: state.name)))
            let commit = regression.since.revision?.commit.map { String($0.prefix(8)) } ?? regression.since.id.short
            let subject = regression.since.revision?.subject.map { ": \($0)" } ?? ""
            return """
                <entry><id>urn:uuid:\(regression.since.id)#\(text(PercentEncoding.encode(regression.test.description)))</id>\
                <title>\(text(regression.test.words(title: regression.title))) fails since \(text(commit))</title>\
                <updated>\(Timestamp.utc(regression.since.startedAt))</updated><link href="\(root)\(href)"/>\
                <summary>\(text(commit + subject))</summary></entry>

                """
        }
        let subject = text(state.name + (owner.map { " for \($0)" } ?? ""))
        let (address, identity) = (
            links.href(.feed(project: state.name, owner: owner, key: key)),
            links.href(.feed(project: state.name, owner: owner))
        )
        xml = """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Regressions of \(subject)</title>\
            <id>\(root)\(text(identity))</id><updated>\(Timestamp.utc(updated))</updated>\
            <author><name>Kanmon</name></author>\
            <link rel="self" href="\(root)\(text(address))"/>
            \(entries.joined())\(expiring.joined())</feed>

            """
    }
}

extension QuarantineEntry {
    /// When it began to be shown as ending soon.
    fileprivate var shownSince: Date { expires.adding(days: -Self.daysAhead).start }
}
