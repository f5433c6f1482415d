import Foundation
import RunModel
import TestSupport
import Testing

@testable import Evidence

/// What the fast reader accepts, the parser accepts, and both tell the same of it.
@Suite struct XMLScannerTests {
    /// The report by the fast reader; `nil` where that leaves it to the parser.
    private static func scanned(_ bytes: [UInt8]) -> XUnitReport? {
        var builder = XUnitBuilder()
        return bytes.withUnsafeBufferPointer { XMLScanner.parse($0, into: &builder) } ? builder.report : nil
    }

    /// The same, in pieces of `size` bytes.
    private static func scanned(_ bytes: [UInt8], inPiecesOf size: Int) -> XUnitReport? {
        var builder = XUnitBuilder()
        var scanner = XMLScanner()
        var cases: [XUnitReport.Case] = []
        var held: [UInt8] = []
        var rest = bytes[...]
        repeat {
            held += rest.prefix(size)
            rest = rest.dropFirst(size)
            let progress = held.withUnsafeBufferPointer { scanner.scan($0, isLast: rest.isEmpty, into: &builder) }
            guard case .consumed(let count) = progress else { return nil }
            held.removeFirst(count)
            builder.drain { cases += $0 }
        } while !rest.isEmpty
        guard held.isEmpty, scanner.isComplete else { return nil }
        var report = builder.report
        report.cases = cases
        return report
    }

    private static func plain(_ bytes: [UInt8]) -> XUnitReport? {
        try? XUnitReport.parsePlainly(bytes, origin: .foreign)
    }

    private static func accepts(_ text: String) -> Bool { scanned(Array(text.utf8)) != nil }

    /// Every XML file that was recorded or that others wrote.
    private static let fixtures: [String] = {
        let root = Bundle.module.bundleURL.appending(path: "Fixtures")
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".xml") }.sorted()
    }()

    @Test func `every recorded report is read alike`() throws {
        #expect(Self.fixtures.count > 60)
        var accepted = 0
        for path in Self.fixtures {
            let bytes = try Fixture.bytes(path)
            guard let report = Self.scanned(bytes) else { continue }
            accepted += 1
            #expect(Self.plain(bytes) == report, "\(path)")
            #expect(Self.scanned(bytes, inPiecesOf: 1000) == report, "\(path)")
        }
        #expect(accepted > 25)
    }

    @Test(arguments: [
        "<testsuite/>", "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites></testsuites >\n",
        "<?xml version='1.0'?><testsuite><!-- a comment, - and -><- --></testsuite>",
        "<testsuite><testcase name='a \"b\" &lt;&#x1F1EF;&#13;&#10;&apos;' classname = \"M.S\"\n\ttime='1'/></testsuite>",
        "<testsuite><testcase name='x'><failure message='a\tb\nc'>t &amp; ] ]] &gt; e\u{301}</failure></testcase></testsuite>",
        "<testsuite><testcase name='x'><system-out><![CDATA[<&]] ]]]></system-out></testcase></testsuite>",
        "<testsuite><testcase name='日本語 🇯🇵 \u{7F}\u{FFFD}'/></testsuite>",
    ])
    func `what reports are made of is read without the parser, in pieces of any size`(text: String) throws {
        let bytes = Array(text.utf8)
        let report = try #require(Self.scanned(bytes))
        #expect(Self.plain(bytes) == report)
        for size in 1...bytes.count { #expect(Self.scanned(bytes, inPiecesOf: size) == report, "\(size)") }
    }

    @Test(arguments: [
        "", " ", "<testsuite>", "<testsuite></testsuit>", "<testsuite a='1' a='2'/>", "<testsuite a='1'b='2'/>",
        "<testsuite a=1/>", "<testsuite a/>", "<testsuite a='<'/>", "<testsuite a='&'/>", "<testsuite a='&#0;'/>",
        "<testsuite a='&#xD800;'/>", "<testsuite a='&#x110000;'/>", "<testsuite a='&nbsp;'/>",
        "<testsuite>]]></testsuite>",
        "<testsuite>\u{1B}</testsuite>", "<testsuite>\u{FFFE}</testsuite>", "<testsuite><!-- -- --></testsuite>",
        "<testsuite/><testsuite/>", "x<testsuite/>", "<testsuite/>x", "<testsuite / >", "< testsuite/>", "<html/>",
        "<?xml version=\"1.1\"?><testsuite/>", "<testsuite>&#38</testsuite>", "</testsuite>", "<1/>",
        "<testsuite\u{0}/>",
        "<![CDATA[x]]><testsuite/>",
    ])
    func `what is no report is never taken for one`(text: String) {
        #expect(!Self.accepts(text))
    }

    @Test(arguments: [
        "<!DOCTYPE testsuite SYSTEM 'x'><testsuite/>", "<?pi?><testsuite/>", "<testsuite xmlns='u'/>", "<a:b/>",
        "<testsuite>\r\n</testsuite>", "<テスト/>", "<?xml version=\"1.0\"  encoding=\"UTF-8\"?><testsuite/>",
    ])
    func `what is unusual is left to the parser`(text: String) {
        #expect(!Self.accepts(text))
    }

    @Test func `however a report is damaged, both read the same or neither reads it`() throws {
        let samples = try Self.fixtures.map { try Fixture.bytes($0) }.filter { !$0.isEmpty && $0.count < 20_000 }
        let rounds = Fuzzing.rounds(FuzzNumbers.xmlPieces) { random in
            let bytes = random.damaged(random.below(3) == 0 ? random.report() : random.pick(samples))
            let plain = Self.plain(bytes)
            guard let report = Self.scanned(bytes) else { return .refused }
            let pieces = Self.scanned(bytes, inPiecesOf: 1 + random.below(bytes.count))
            return plain == report && pieces == report ? .same : .different(bytes)
        }
        #expect(rounds.accepted > rounds.all / 10, "\(rounds)")
    }
}
