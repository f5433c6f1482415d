import RunModel
import Wording

/// A file that a test attached.
struct AttachmentMark: Sendable, TemplateValue {
    /// The download, where there is one.
    let link: Link?
    let plainName: BreakableText?
    let size: String

    init(_ attachment: TestAttachment, _ links: RunLinks) {
        let name = attachment.name.cut(to: 100)
        link = links.evidence(attachment.path).map { Link(name, $0) }
        plainName = link == nil ? BreakableText(name) : nil
        size = Figures.bytes(attachment.bytes)
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "link": link
        case "plainName": plainName
        case "size": size
        default: nil
        }
    }
}
