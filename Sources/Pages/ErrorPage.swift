public import Web

/// The page for an error.
public struct ErrorPage: Page {
    /// The template it is rendered with.
    public static let template = WebFile.errorPage
    /// Title and way back.
    public let frame: PageFrame

    let status: Int
    let title: String
    let reason: String
    let remedy: String
    let incident: String?

    /// Makes the page.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - title: Two or three words.
    ///   - reason: One sentence about the problem; never the text of an internal error.
    ///   - remedy: What the reader can do.
    ///   - incident: The id under which the log has the details.
    ///   - links: How links are written.
    public init(
        status: Int, title: String, reason: String, remedy: String, incident: String? = nil,
        links: Links = .dashboard
    ) {
        frame = PageFrame(title: title, links: links)
        self.status = status
        self.title = title
        self.reason = reason
        self.remedy = remedy
        self.incident = incident
    }
}
