import RunModel

/// Numbers that look random, and are the same for the same text and index.
enum Noise {
    /// A number for a text and a place in the history.
    static func number(_ text: String, _ index: Int = 0) -> UInt64 {
        var hash = StableHash("\(text) \(index)").value
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        return hash ^ (hash >> 33)
    }

    /// A number below `bound`.
    static func number(_ text: String, _ index: Int = 0, below bound: Int) -> Int {
        Int(number(text, index) % UInt64(bound))
    }

    /// Forty hexadecimal digits: what a commit or a tree is called.
    static func hash(_ text: String, _ index: Int = 0) -> String {
        let digits = (0..<3).map { part in
            let text = String(number("\(text)/\(part)", index), radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return String(digits.joined().prefix(40))
    }
}
