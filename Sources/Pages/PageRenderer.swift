import Mustache
public import Web

/// A page: a value that a template of its own turns into HTML.
public protocol Page: Sendable {
    /// The template it is rendered with.
    static var template: WebFile { get }
    /// Title, way back and the like, which every page has.
    var frame: PageFrame { get }
}

/// Why a page could not be rendered.
public enum PageError: Error, Sendable, CustomStringConvertible {
    /// A file of the dashboard's face could not be read.
    case web(WebError)
    /// A template is not UTF-8 or not well-formed.
    case malformedTemplate(WebFile, reason: String)

    /// A fragment that fits "kanmon: failed to …".
    public var description: String {
        switch self {
        case .web(let error): error.description
        case .malformedTemplate(let file, let reason): "read the template \(file.rawValue): \(reason)"
        }
    }

    /// What to try.
    public var hint: String? {
        switch self {
        case .web(let error): error.hint
        case .malformedTemplate: nil
        }
    }
}

/// Turns pages into HTML, with templates that were read once.
public struct PageRenderer: Sendable {
    private let library: MustacheLibrary

    /// Reads and parses all templates.
    public init(_ root: WebRoot = .embedded) throws(PageError) {
        MustacheContentTypes.register(MarkupEscaping(), named: MarkupEscaping.name)
        var library = MustacheLibrary()
        for file in WebFile.allCases {
            guard let name = file.templateName else { continue }
            library.register(try Self.template(file, in: root), named: name)
        }
        self.library = library
    }

    /// The page as a whole HTML document.
    public func render<P: Page>(_ page: P) -> String {
        // Every template was registered by `init`, or `init` has thrown.
        P.template.templateName.flatMap { library.render(page, withTemplate: $0) } ?? ""
    }

    private static func template(_ file: WebFile, in root: WebRoot) throws(PageError) -> MustacheTemplate {
        let bytes: [UInt8]
        do {
            bytes = try root.bytes(of: file)
        } catch {
            throw .web(error)
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw .malformedTemplate(file, reason: "it is not UTF-8")
        }
        while text.last == "\n" { text.removeLast() }
        do {
            // Mustache falls back to its own escaping in every partial, so each template asks for ours by itself.
            return try MustacheTemplate(string: "{{% CONTENT_TYPE: \(MarkupEscaping.name) }}\n" + text)
        } catch {
            throw .malformedTemplate(file, reason: "\(error)")
        }
    }
}
