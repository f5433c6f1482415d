import Pages
import RunModel
import TestSupport
import Testing

/// Whatever a text says, the elements and attributes of a page are those of a page with a harmless text.
@Suite struct HostileTextTests {
    static let payloads = [
        SampleRuns.hostile,
        "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
        "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "\" onmouseover=\"alert(1)", "</title><h1>x", "<!--",
        "-->",
        "]]>", "<![CDATA[", "</textarea></pre></td></table>", "javascript:alert(1)", "data:text/html,<b>x", "&lt;b&gt;",
        "&#x3C;",
        "&", "{{.frame}}", "{{{x}}}", "{{<layout}}", "{{=<% %>=}}", "`", "\\", "%3Cscript%3E", "\u{0}<b>",
        "\u{1B}]8;;http://x\u{7}",
        "\u{202E}gnp", "\u{2066}x\u{2069}", "\u{2028}<b>", "<\u{301}script>",
        "\"\u{301} onmouseover=alert(1) x=\u{301}\"",
        "'\u{301} onclick=x '", "&\u{301}lt;", ">\u{338}", "\"\u{200D}onx=1", "＜script＞", "a\r\nSet-Cookie: x",
        "👨‍👩‍👧🏴󠁧󠁢󠁳󠁣󠁴󠁿e\u{301}",
        "../../../etc/passwd", "..%2f..%2f", "C:\\x", "-rf", "$(touch x)", "=1+1", "::error::x", "##teamcity[x]",
    ]

    /// A text that wraps, counts and is cut as the payload is, made of letters only.
    static func twin(_ payload: String) -> String {
        let harmless = payload.unicodeScalars.map { scalar -> Character in
            [".", "/", "_", "-", ":", "\n"].contains(scalar) ? Character(scalar) : "x"
        }
        return String(harmless)
    }

    /// Control characters and what reorders the text around it, in the test's own words.
    static func actsUnseen(_ scalar: Unicode.Scalar) -> Bool {
        let isControl = (scalar < " " && scalar != "\n" && scalar != "\t") || ("\u{7F}"..."\u{9F}").contains(scalar)
        let reorders = ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
        return isControl || reorders
    }

    @Test(arguments: payloads)
    func `a page with hostile text has the structure of the same page with harmless text`(payload: String) throws {
        let pages = try HostileRun.pages(payload)
        let twins = try HostileRun.pages(Self.twin(payload))
        for (page, twin) in zip(pages, twins) {
            let found = try MarkupScanner(page)
            let expected = try MarkupScanner(twin)
            #expect(Array(page.unicodeScalars.filter(Self.actsUnseen)) == [])
            // Where a name may wrap depends on the graphemes of the text, so those marks are left out.
            #expect(found.tags.filter { $0.name != "wbr" } == expected.tags.filter { $0.name != "wbr" })
            for (_, attribute, value) in found.values
            where attribute == "href" || attribute == "src" || attribute == "action" {
                #expect(
                    value.hasPrefix("/") || value.hasPrefix("#") || value == SampleSheets.buildPage,
                    "a link leaves the dashboard: \(value)")
                #expect(!value.hasPrefix("//"))
            }
        }
    }

    @Test(arguments: payloads + ["日本語 “x” – … ✓ é", "<a\u{200B}b>", "&\u{E2}\u{2060}", "\t<\n"])
    func `every page is byte by byte what a general engine makes of its template`(payload: String) throws {
        #expect(try HostileRun.pages(payload) == HostileRun.pages(payload, by: GeneralRenderer.get()))
    }

    @Test func `the scanner notices a quote that an accent hides`() {
        #expect(throws: MarkupFault.self) {
            try MarkupScanner("<!doctype html><a title=\"x\"\u{301} onmouseover=alert(1) \">x</a>")
        }
        #expect(throws: MarkupFault.self) { try MarkupScanner("<!doctype html><p>a < b</p>") }
        #expect(throws: MarkupFault.self) { try MarkupScanner("<!doctype html><p>&nbsp;</p>") }
        #expect(throws: MarkupFault.self) { try MarkupScanner("<!doctype html><p><b></p></b>") }
    }

    @Test func `pages carry no script, no style and no handler`() throws {
        for page in try HostileRun.pages(SampleRuns.hostile) {
            let markup = try MarkupScanner(page)
            #expect(markup.tags.filter { ["style", "iframe", "object"].contains($0.name) } == [])
            // Two kinds of pages have the one script, and nothing within it.
            let scripts = markup.values.filter { $0.tag == "script" && $0.attribute == "src" }.map(\.value)
            #expect(scripts.count == markup.tags.count { $0.name == "script" })
            #expect(Set(scripts).isSubset(of: ["/assets/kanmon.js"]))
            #expect(page.matches(of: /<script src="[^"]+" defer><\/script>/).count == scripts.count)
            let forms = markup.values.filter { $0.tag == "form" && $0.attribute == "action" }.map(\.value)
            let run = "/runs/\(SampleRuns.id(5))"
            let known = [
                "/search", "/", "/machines", "/runs", "\(run)/policy", "\(run)/tests", "/flaky", "/slow", "/exceptions",
                "/owners", "/exclusions", "/selection", "/unverified", "/sign-in", "/sign-out",
            ]
            #expect(Set(forms).isSubset(of: known))
            #expect(markup.tags.flatMap(\.attributes).filter { $0.hasPrefix("on") || $0 == "style" } == [])
        }
    }
}
