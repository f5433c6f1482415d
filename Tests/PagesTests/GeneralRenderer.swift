import Mustache
import Web

@testable import Pages

/// What makes text of pages.
protocol Renderer {
    func render(_ page: some Page) -> String
}

extension PageRenderer: Renderer {}

/// Renders pages with a general engine, which looks at every value by reflection and escapes it scalar by scalar: the simple
/// twin of `PageRenderer`.
struct GeneralRenderer: Renderer {
    private static let shared = Result { try GeneralRenderer() }

    private let library: MustacheLibrary

    static func get() throws -> GeneralRenderer { try shared.get() }

    private init() throws {
        var library = MustacheLibrary()
        for file in WebFile.allCases {
            guard let name = file.templateName else { continue }
            library.register(try Self.template(String(decoding: file.embedded, as: UTF8.self)), named: name)
        }
        self.library = library
    }

    func render(_ page: some Page) -> String {
        type(of: page).template.templateName.flatMap { library.render(page, withTemplate: $0) } ?? ""
    }

    static func template(_ text: String) throws -> MustacheTemplate {
        MustacheContentTypes.register(ScalarEscaping(), named: "KANMON")
        var text = text
        while text.last == "\n" { text.removeLast() }
        // The engine falls back to its own escaping in every partial, so each template asks for this one by itself.
        return try MustacheTemplate(string: "{{% CONTENT_TYPE: KANMON }}\n" + text)
    }
}

/// The engine's own escaping compares characters, and knows nothing of what acts unseen.
private struct ScalarEscaping: MustacheContentType {
    func escapeText(_ text: String) -> String {
        var markup = Markup()
        markup.appendByScalar(text)
        return String(decoding: markup.bytes, as: UTF8.self)
    }
}
