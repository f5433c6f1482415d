import RunModel

/// A file that a test attached.
struct AttachmentResponse: Codable {
    let name: String
    /// What `/runs/RUN/evidence?file=` takes.
    let file: String
    let bytes: Int
    let mediaType: String

    init(_ attachment: TestAttachment) {
        name = attachment.name
        file = attachment.path
        bytes = attachment.bytes
        mediaType = attachment.mediaType
    }
}
