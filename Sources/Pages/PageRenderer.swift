public import Web

/// A page: a value that its template renders to HTML.
public protocol Page: Sendable {
    /// The template it is rendered with.
    static var template: WebFile { get }
    /// The title, breadcrumbs and so on.
    var frame: PageFrame { get }
}

/// Why a page could not be rendered.
public enum PageError: Error, Sendable, CustomStringConvertible {
    /// A web file could not be read.
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
    private let templates: [Template]
    private let places: [String: Int]

    /// Reads and parses all templates.
    public init(_ root: WebRoot = .embedded) throws(PageError) {
        let names = WebFile.allCases.compactMap { file in file.templateName.map { (name: $0, file: file) } }
        places = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1.name, $0) })
        var templates: [Template] = []
        for (_, file) in names { templates.append(try Self.template(file, in: root, places)) }
        self.templates = templates
    }

    /// The page as a whole HTML document.
    public func render(_ page: some Page) -> String { String(decoding: bytes(of: page), as: UTF8.self) }

    /// The same as bytes.
    public func bytes(of page: some Page) -> [UInt8] { markup(of: page).bytes }

    private func markup<P: Page>(of page: P) -> Markup {
        // `init` has read every template, or it has thrown.
        guard let place = P.template.templateName.flatMap({ places[$0] }) else { return Markup() }
        var rendering = Rendering(templates: templates, room: 32 << 10)
        rendering.render(templates[place], of: Reflected(page))
        return rendering.page
    }

    private static func template(
        _ file: WebFile, in root: WebRoot, _ places: [String: Int]
    ) throws(PageError) -> Template {
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
            return try TemplateParser.template(text, places: places)
        } catch {
            throw .malformedTemplate(file, reason: error.description)
        }
    }
}
