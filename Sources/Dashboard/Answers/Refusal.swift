import Gate
import HTTPTypes
import Pages

/// Why a request is refused, in words for the reader. Internal errors go only to the log.
enum Refusal: Error, Sendable, Hashable {
    /// The address is malformed.
    case malformed(String)
    /// There is no such page, run or file.
    case notFound
    /// Several commits begin so; the latest run of each.
    case ambiguous(String, candidates: [RunSummary])
    /// Only `GET` and `HEAD` are answered.
    case method
    /// A request for a page has no body.
    case body
    /// The address is longer than 8 KiB.
    case tooLong
    /// The request names an unknown host, with or without a port; untrusted text.
    case host(String)
    /// Too many readers follow runs.
    case busy
    /// Too many answers are being made, or wait to be read.
    case crowded
    /// The files of a run cannot be fetched now from where they are kept: why.
    case unavailable(String)
    /// The reader has to sign in first.
    case signIn(remark: String?)
    /// The token is for something else.
    case forbidden(scope: String)
    /// A form was sent by a page of another site.
    case crossSite
    /// Too many wrong credentials came from the reader's address.
    case tooManyAttempts(seconds: Int)
    /// Something failed; the id is in the log.
    case failure(incident: String)

    var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .notFound: .notFound
        case .ambiguous: .multipleChoices
        case .method: .methodNotAllowed
        case .body: .contentTooLarge
        case .tooLong: .uriTooLong
        case .host: .misdirectedRequest
        case .busy, .crowded, .unavailable: .serviceUnavailable
        case .signIn: .unauthorized
        case .forbidden, .crossSite: .forbidden
        case .tooManyAttempts: .tooManyRequests
        case .failure: .internalServerError
        }
    }

    /// The error page.
    func page(_ links: Links) -> ErrorPage {
        let (title, reason, remedy) = words
        var incident: String?
        if case .failure(let id) = self { incident = id }
        return ErrorPage(
            status: status.code, title: title, reason: reason, remedy: remedy, incident: incident, links: links)
    }

    private var words: (title: String, reason: String, remedy: String) {
        switch self {
        case .malformed(let reason):
            (
                "Invalid address", "The request cannot be read: \(reason).",
                "Follow a link from the list of runs."
            )
        case .notFound:
            (
                "Not found", "There is no such page, run or file.",
                "A run may have been pruned; the list shows all stored runs."
            )
        case .ambiguous(let start, let candidates):
            (
                "Which one?", "\(candidates.count) commits begin with \(start).",
                "Choose one, or write a longer part of its hash."
            )
        case .method:
            (
                "Read-only", "The dashboard answers GET and HEAD and changes nothing.",
                "Open the address in a browser."
            )
        case .body:
            (
                "That request is too large", "A request for a page must not have a body.",
                "Open the address in a browser."
            )
        case .tooLong:
            ("That address is too long", "An address may be 8 KiB long.", "Follow a link from the list of runs.")
        case .host(let authority):
            (
                "Unknown host name", "The request was sent to a host name that the dashboard does not know.",
                "Open it as localhost, or start it with: kanmon serve --allow-host \(HostPolicy.name(of: authority) ?? "NAME")"
            )
        case .busy:
            (
                "Too many readers", "Too many readers already follow runs in progress.",
                "Reload the page of the run after a while; it also works without live updates."
            )
        case .crowded:
            (
                "Too many requests at once", "Too many pages are being made, or wait to be read by others or by you.",
                "Try again after a few seconds."
            )
        case .unavailable(let reason):
            (
                "The files of the run are not here", "They are kept elsewhere, and \(reason).",
                "Try again after a while. Its results do not depend on them."
            )
        case .signIn(let remark):
            ("Sign in", remark ?? "This page needs a credential.", "Sign in with a token that is for reading.")
        case .forbidden(let scope):
            (
                "Not with this token", "A token of scope '\(scope)' is not for reading.",
                "Use one of scope 'read': kanmon token create NAME --scope read --project '*'"
            )
        case .crossSite:
            (
                "Sent by another site", "The form did not come from a page of the dashboard.",
                "Open the dashboard, and sign in there."
            )
        case .tooManyAttempts(let seconds):
            (
                "Too many attempts", "Too many wrong credentials came from this address.",
                "Wait for \(seconds) seconds."
            )
        case .failure:
            (
                "Something went wrong", "The page could not be made. The store was not changed.",
                "Try again; if it persists, see the log."
            )
        }
    }
}
