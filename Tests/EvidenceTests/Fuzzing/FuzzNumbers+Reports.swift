extension FuzzNumbers {
    /// What breaks a report, or nearly.
    static let xmlPieces = [
        "<", ">", "&", ";", "\"", "'", "/", "=", "]]>", "<![CDATA[", "<!--", "-->", "--", "<?x?>", "&#x41;", "&#0;",
        "&lt;", "&lt", "\r", "\t", "\n", " ", "\u{1B}", "\u{FFFF}", "\u{FEFF}", "é", "👩‍👩‍👧", "</testcase>",
        "<testcase name='x'>", "<failure message=\"m\">t</failure>", "<skipped/>", "<system-out>o</system-out>",
        "a='1'",
        "xmlns:a='u'",
    ]

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
