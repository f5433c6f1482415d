import HTTPTypes
import Pages

/// Why a request gets no page of its own, in words for the reader. What went wrong inside is for the log alone.
enum Refusal: Error, Sendable, Hashable {
    /// The address is written wrongly.
    case malformed(String)
    /// There is no such page, run or file.
    case notFound
    /// Only `GET` and `HEAD` are answered.
    case method
    /// A request for a page has no body.
    case body
    /// The address is longer than 8 KiB.
    case tooLong
    /// The request names a host that is not this one.
    case host
    /// Something failed; the id is in the log.
    case failure(incident: String)

    var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .notFound: .notFound
        case .method: .methodNotAllowed
        case .body: .contentTooLarge
        case .tooLong: .uriTooLong
        case .host: .misdirectedRequest
        case .failure: .internalServerError
        }
    }

    var page: ErrorPage {
        switch self {
        case .malformed(let reason):
            page(
                "That address is not right", "The request cannot be read: \(reason).",
                "Follow a link from the list of runs.")
        case .notFound:
            page(
                "Nothing is here", "There is no such page, run or file.",
                "Runs are pruned after a while; the list shows those that are stored."
            )
        case .method:
            page(
                "Only reading is possible", "The dashboard answers GET and HEAD and changes nothing.",
                "Open the address in a browser.")
        case .body:
            page("That request is too large", "A request for a page carries no data.", "Open the address in a browser.")
        case .tooLong:
            page("That address is too long", "An address may be 8 KiB long.", "Follow a link from the list of runs.")
        case .host:
            page(
                "This name is not served here", "The request was sent to a host name that the dashboard does not know.",
                "Open it as localhost, or name the host when the dashboard is started."
            )
        case .failure(let incident):
            page(
                "Something went wrong", "The page could not be made. Nothing that is stored was changed.",
                "Try again; if it stays so, look into the log.", incident: incident
            )
        }
    }

    private func page(_ title: String, _ reason: String, _ remedy: String, incident: String? = nil) -> ErrorPage {
        ErrorPage(status: status.code, title: title, reason: reason, remedy: remedy, incident: incident)
    }
}
