import Mustache
import Testing

@testable import Pages

@Suite struct TemplateParserTests {
    /// A value with one of everything.
    private struct Sample {
        let text = "<a> & \"b\" 'c'"
        let empty = ""
        let number = 7
        let yes = true
        let no = false
        let absent: String? = nil
        let present: String? = "x"
        let words = ["a", "b"]
        let none: [String] = []
        let lines = [Line(words: "one", inner: Inner(name: "<1>")), Line(words: "two", inner: nil)]

        struct Line {
            let words: String
            let inner: Inner?
        }

        struct Inner {
            let name: String
        }
    }

    private static func render(_ text: String) throws -> String {
        let template = try TemplateParser.template(text, places: [:])
        var rendering = Rendering(templates: [])
        rendering.render(template, of: Reflected(Sample()))
        return String(decoding: rendering.page.bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "", "a", "a {{.text}} b", "{{.number}}{{.absent}}{{.present}}{{.unknown}}{{.empty}}",
        "{{#.yes}}a{{/.yes}}{{#.no}}b{{/.no}}{{^.yes}}c{{/.yes}}{{^.no}}d{{/.no}}",
        "{{#.absent}}a{{/.absent}}{{^.absent}}b{{/.absent}}{{#.present}}{{.}}{{/.present}}{{^.present}}c{{/.present}}",
        "{{#.empty}}[{{.}}]{{/.empty}}{{#.number}}{{.}}{{/.number}}",
        "{{#.words}}{{.}},{{/.words}}{{^.words}}none{{/.words}}{{#.none}}x{{/.none}}{{^.none}}none{{/.none}}",
        "<ul>\n{{#.lines}}\n<li>{{.words}}{{#.inner}}{{.name}}{{/.inner}}{{.inner.name}}</li>\n{{/.lines}}\n</ul>",
        "a\n  {{#.yes}}  \nb\n\t{{/.yes}}\t\nc", "{{#.yes}}\na{{/.yes}}\nb", "a {{#.yes}}\nb\n{{/.yes}} c",
        "{{#.yes}}\n{{#.present}}x\n{{/.present}}\n{{/.yes}}\nb\n  {{#.words}}{{.}}\n{{/.words}}\n  {{#.yes}}\nc\n{{/.yes}}",
        "{{#.yes}}\nx {{/.yes}} {{#.yes}}\ny\n{{/.yes}}",
        "{{#.yes}}\n{{#.present}}\nx\n{{/.present}}\n\n{{/.yes}}", "{{#.yes}}\n  {{.text}}\n{{/.yes}}", "a { {} b }} c",
    ])
    func `what is rendered is what a general engine renders`(text: String) throws {
        #expect(try Self.render(text) == GeneralRenderer.template(text).render(Sample()))
    }

    @Test(arguments: [
        ("{{.a", TemplateFault.openTag), ("{{", .openTag), ("{{a}}", .unknownTag("a")),
        ("{{#a}}{{/a}}", .unknownTag("a")),
        ("{{! c}}", .unknownTag("! c")), ("{{{.a}}}", .unknownTag("{.a")), ("{{&.a}}", .unknownTag("&.a")),
        ("{{=<% %>=}}", .unknownTag("=<% %>=")), ("{{}}", .unknownTag("")), ("{{>a}}", .unknownTemplate("a")),
        ("{{<a}}{{/a}}", .unknownTemplate("a")), ("{{#.a}}", .missingEnd(".a")), ("{{/.a}}", .misplacedEnd(".a")),
        ("{{#.a}}{{/.b}}{{/.a}}", .misplacedEnd(".b")),
    ])
    func `what is no template is refused`(text: String, fault: TemplateFault) {
        #expect(throws: fault) { try TemplateParser.template(text, places: [:]) }
    }

    @Test func `the outermost template fills a block`() throws {
        let places = ["outer": 0, "middle": 1, "inner": 2]
        let texts = [
            "{{<middle}}{{$a}}outer{{/a}}{{/middle}}", "{{<inner}}{{$a}}middle{{/a}}{{$b}}b{{/b}}{{/inner}}",
            "[{{$a}}inner{{/a}}{{$b}}inner{{/b}}{{$c}}inner{{/c}}]",
        ]
        let templates = try texts.map { try TemplateParser.template($0, places: places) }
        let rendered = templates.map { template in
            var rendering = Rendering(templates: templates)
            rendering.render(template, of: "")
            return String(decoding: rendering.page.bytes, as: UTF8.self)
        }
        #expect(rendered == ["[outerbinner]", "[middlebinner]", "[innerinnerinner]"])
    }
}
