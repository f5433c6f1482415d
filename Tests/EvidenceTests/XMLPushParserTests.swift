import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence
@testable import TestResults

/// What is well-formed is read, and nothing else, wherever it is cut or damaged.
@Suite struct XMLPushParserTests {
    private static func read(_ bytes: [UInt8], _ origin: XUnitReport.Origin = .foreign) -> XUnitReport? {
        try? XUnitReport.read(bytes, file: "r.xml", origin: origin)
    }

    private static func read(_ text: String) -> XUnitReport? { read(Array(text.utf8)) }

    @Test(arguments: [
        "<testsuite/>", "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites></testsuites >\n",
        "<?xml version='1.0'?><testsuite><!-- a comment, - and -><- --></testsuite>",
        "<!DOCTYPE testsuite SYSTEM 'x'><testsuite/>", "<?pi?><testsuite/>", "<testsuite xmlns='u'/>",
        "<testsuite>\r\n</testsuite>", "<?xml version=\"1.0\"  encoding=\"UTF-8\"?><testsuite/>",
        "<?xml version=\"1.1\"?><testsuite/>", "<testsuite><properties><テスト/></properties></testsuite>",
    ])
    func `every well-formed document is read`(text: String) {
        #expect(Self.read(text)?.cases.isEmpty == true)
    }

    @Test func `references, white space and CDATA mean what XML says they mean`() throws {
        let report = try #require(
            Self.read(
                "<testsuite><testcase name='a \"b\" &lt;&#x1F1EF;&#13;&#10;&apos;&amp;amp;&#38;lt;' classname = \"M.S\"\n\ttime='1'>"
                    + "<failure message='a\tb\nc'>t &amp; ] ]] &gt; e\u{301}</failure>"
                    + "<system-out><![CDATA[<&]] ]]]></system-out></testcase></testsuite>"))
        let entry = try #require(report.cases.first)
        #expect(entry.id == TestID(module: "M", suite: "S", name: "a \"b\" <\u{1F1EF}\r\n'&amp;&lt;"))
        #expect(entry.problems == [XUnitReport.Problem(message: "a b c", text: "t & ] ]] > e\u{301}")])
        #expect(entry.output == "<&]] ]")
    }

    @Test(arguments: [
        "", " ", "<testsuite>", "<testsuite></testsuit>", "<testsuite a='1' a='2'/>", "<testsuite a='1'b='2'/>",
        "<testsuite a=1/>", "<testsuite a/>", "<testsuite a='<'/>", "<testsuite a='&'/>", "<testsuite a='&#0;'/>",
        "<testsuite a='&#xD800;'/>", "<testsuite a='&#x110000;'/>", "<testsuite a='&nbsp;'/>",
        "<testsuite>]]></testsuite>",
        "<testsuite>\u{1B}</testsuite>", "<testsuite>\u{FFFE}</testsuite>", "<testsuite><!-- -- --></testsuite>",
        "<testsuite/><testsuite/>", "x<testsuite/>", "<testsuite/>x", "<testsuite / >", "< testsuite/>", "<html/>",
        "<testsuite>&#38</testsuite>", "</testsuite>", "<1/>", "<testsuite\u{0}/>", "<![CDATA[x]]><testsuite/>",
        "<!DOCTYPE testsuite [<!ENTITY a 'b'>]><testsuite/>",
    ])
    func `what is no report is never taken for one`(text: String) {
        #expect(Self.read(text) == nil)
    }

    /// Longer than a piece of the parser, with characters of several bytes at every place in it.
    private static let long = Array(
        ("<testsuite>"
            + (0..<2_000).map { "<testcase classname='M.S' name='日\($0)\u{1F1EF}é' time='0.\($0)'/>\n" }.joined()
            + "</testsuite>").utf8)

    @Test func `cases are handed over as they come, and all again when the file has to be repaired`() throws {
        func batches(_ bytes: [UInt8]) throws -> (sizes: [Int], restarts: Int, report: XUnitReport) {
            var (sizes, restarts): ([Int], Int) = ([], 0)
            let report = try bytes.lent { document throws(EvidenceError) in
                try XUnitReport.read(
                    document, file: "r.xml", origin: .swiftPM, budget: EvidenceBudget(),
                    restart: {
                        restarts += 1
                        sizes = []
                    }, each: { sizes.append($0.count) })
            }
            return (sizes, restarts, report)
        }
        let sound = try batches(Self.long)
        #expect(sound.restarts == 0 && sound.sizes.reduce(0, +) == 2_000 && sound.report.cases.isEmpty)
        #expect(sound.sizes.count > 1 && sound.sizes.allSatisfy { $0 < 1_900 })
        let broken = try batches(
            Array(String(decoding: Self.long, as: UTF8.self).replacing("1999", with: "\u{1}").utf8))
        #expect(broken.restarts == 1 && broken.sizes.reduce(0, +) == 2_000 && !broken.report.repairs.isEmpty)
    }

    @Test func `a character that lies across two pieces is whole`() throws {
        // Every offset of a character of four bytes from the step in which bytes are checked.
        for shift in 0..<5 {
            let filler = String(repeating: "x", count: (1 << 20) - 40 - shift)
            let text =
                "<testsuite name='s'><!--" + filler + String(repeating: "\u{1F1EF}", count: 20) + "--></testsuite>"
            #expect(Self.read(text) != nil)
            var cut = Array(text.utf8)
            cut.remove(at: (1 << 20) - shift)
            #expect(Self.read(cut) == nil, "\(shift)")
        }
    }

    @Test func `a document of ever new names is refused before it takes long`() throws {
        func report(_ count: Int, _ element: (Int) -> String) -> [UInt8] {
            Array(("<testsuite><testcase/>" + (0..<count).map(element).joined() + "</testsuite>").utf8)
        }
        #expect(Self.read(report(50_000) { "<e\($0)/>" }) != nil)
        let elements: [(Int) -> String] = [{ "<e\($0)/>" }, { "<e a\($0)='1'/>" }]
        for element in elements {
            let error = #expect(throws: EvidenceError.self) {
                try XUnitReport.read(report(200_000, element), file: "r.xml", origin: .foreign)
            }
            #expect("\(try #require(error))".contains("more than 100000 different names"))
        }
    }

    @Test func `a fault is reported with line and column, anywhere in the document`() {
        var bytes = Self.long
        bytes[bytes.count - 12] = 0xFF
        #expect(
            throws: EvidenceError.malformed(
                file: "r.xml", line: 2_001, column: 1, reason: "a byte that is not UTF-8")
        ) { try XUnitReport.read(bytes, file: "r.xml", origin: .foreign) }
    }

    @Test func `however a report is damaged, it is refused or read alike by both rules`() {
        let rounds = Fuzzing.rounds(FuzzNumbers.xmlPieces) { random in
            let bytes = random.damaged(random.report())
            guard let report = Self.read(bytes) else { return .refused }
            guard !bytes.starts(with: "<!DOCTYPE".utf8) else { return .refused }
            return report.truncation == nil && Self.read(bytes, .swiftPM) == report ? .same : .different(bytes)
        }
        #expect(rounds.accepted > rounds.all / 10, "\(rounds)")
    }
}
