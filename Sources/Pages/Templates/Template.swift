/// A parsed template: text and the places of values.
///
/// It supports the part of Mustache that the templates use, and looks up names only in the innermost value. The
/// output is one list of bytes, which makes it several times as fast as a general engine.
struct Template: Sendable {
    indirect enum Piece: Sendable {
        case text([UInt8])
        /// `{{.frame.title}}`; no name at all for `{{.}}`.
        case value([String])
        /// Rendered once for every element of a list, once for any other value that is not absent.
        case section([String], Template)
        /// Rendered if the section is not.
        case inverted([String], Template)
        /// Another template, by its index.
        case partial(Int, blocks: [String: Template])
        /// The content that the including template defines, or else the default.
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
        case .unknownTag(let tag): "{{\(tag)}} is not a supported tag"
        case .unknownTemplate(let name): "there is no template \(name)"
        case .misplacedEnd(let name): "{{/\(name)}} has no matching beginning"
        case .missingEnd(let name): "there is no {{/\(name)}}"
        }
    }
}
