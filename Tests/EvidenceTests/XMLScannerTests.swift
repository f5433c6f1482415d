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

    /// KANMON_FUZZ_SECONDS says for how long, KANMON_FUZZ_SEED where to begin; half a second otherwise.
    @Test func `however a report is damaged, both read the same or neither reads it`() throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["KANMON_FUZZ_SECONDS"].flatMap(Double.init) ?? 0.5
        var random = FuzzNumbers(state: environment["KANMON_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_102)
        let samples = try Self.fixtures.map { try Fixture.bytes($0) }.filter { !$0.isEmpty && $0.count < 20_000 }
        let end = ContinuousClock.now + .seconds(seconds)
        var (rounds, accepted) = (0, 0)
        while ContinuousClock.now < end {
            var bytes = random.pick(samples)
            if random.below(3) == 0 { bytes = random.report() }
            for _ in 0..<random.below(4) { random.damage(&bytes) }
            rounds += 1
            guard let report = Self.scanned(bytes) else { continue }
            accepted += 1
            guard Self.plain(bytes) == report, Self.scanned(bytes, inPiecesOf: 1 + random.below(bytes.count)) == report
            else {
                Issue.record("round \(rounds): \(String(decoding: bytes, as: UTF8.self))")
                return
            }
        }
        #expect(accepted > rounds / 10, "\(accepted) of \(rounds)")
    }
}

/// Reports and damage to them, the same for the same seed (SplitMix64).
private struct FuzzNumbers {
    var state: UInt64

    private static let pieces: [[UInt8]] =
        [
            "<", ">", "&", ";", "\"", "'", "/", "=", "]]>", "<![CDATA[", "<!--", "-->", "--", "<?x?>", "&#x41;", "&#0;",
            "&lt;",
            "&lt", "\r", "\t", "\n", " ", "\u{1B}", "\u{FFFF}", "\u{FEFF}", "é", "👩‍👩‍👧", "</testcase>",
            "<testcase name='x'>",
            "<failure message=\"m\">t</failure>", "<skipped/>", "<system-out>o</system-out>", "a='1'", "xmlns:a='u'",
        ].map { Array($0.utf8) } + [[0xFF], [0x00], [0xE3, 0x81], [0xED, 0xA0, 0x80], [0xC0, 0x80]]

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }

    mutating func pick<Element>(_ values: [Element]) -> Element { values[below(values.count)] }

    mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = below(bytes.count)
        switch below(4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
        case 1: bytes.insert(contentsOf: pick(Self.pieces), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
        default: bytes.replaceSubrange(place..<place + 1, with: pick(Self.pieces))
        }
    }

    /// A sound report with whatever may be in one.
    mutating func report() -> [UInt8] {
        func text(_ random: inout FuzzNumbers) -> String {
            (0..<random.below(5)).map { _ in
                random.pick(["a", "B.c", " ", "&lt;", "&#x1F44D;", "&#10;", "日本", "e\u{301}", "'", "]", "1.5", "`x`()"])
            }.joined()
        }
        var body = ""
        for _ in 0..<below(6) {
            body +=
                "<testcase classname=\"M.\(text(&self))\" name=\"\(text(&self))\" time=\"\(below(9)).\(below(999))\""
            switch below(4) {
            case 0: body += "/>\n"
            case 1: body += "><failure message=\"\(text(&self))\">\(text(&self))</failure></testcase>"
            case 2:
                body +=
                    "><skipped>\(text(&self))</skipped><system-out><![CDATA[\(text(&self))]]></system-out></testcase>"
            default:
                body +=
                    "><error type='t'/><rerunFailure><system-err>\(text(&self))</system-err></rerunFailure></testcase>"
            }
        }
        return Array(
            "<testsuites>\n<testsuite name=\"\(text(&self))\" tests=\"\(below(9))\">\(body)</testsuite></testsuites>\n"
                .utf8)
    }
}
