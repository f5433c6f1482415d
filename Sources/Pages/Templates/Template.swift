/// A template that was read: text, and the places where values stand.
///
/// It is the part of Mustache in which the templates are written, and every name is asked of the innermost value only. What
/// is rendered goes into one list of bytes, which is most of what makes it several times as fast as a general engine.
struct Template: Sendable {
    indirect enum Piece: Sendable {
        case text([UInt8])
        /// `{{.frame.title}}`; no name at all for `{{.}}`.
        case value([String])
        /// Rendered once for every element of a list, once for any other value that there is.
        case section([String], Template)
        /// Rendered where the section would not be.
        case inverted([String], Template)
        /// Another template, by its place among all of them.
        case partial(Int, blocks: [String: Template])
        /// What the template that asks for this one puts here, or else what stands here.
        case block(String, Template)
    }

    let pieces: [Piece]
}

/// What is wrong with a template.
enum TemplateFault: Error, Hashable, CustomStringConvertible {
    case openTag
    case unknownTag(String)
    case unknownTemplate(String)
    case misplacedEnd(String)
    case missingEnd(String)

    var description: String {
        switch self {
        case .openTag: "a tag has no end"
        case .unknownTag(let tag): "{{\(tag)}} is no tag that templates have here"
        case .unknownTemplate(let name): "there is no template \(name)"
        case .misplacedEnd(let name): "{{/\(name)}} ends what did not begin there"
        case .missingEnd(let name): "there is no {{/\(name)}}"
        }
    }
}
