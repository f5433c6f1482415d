/// A document type declaration, which no reader needs.
extension XMLByteGuard {
    /// Passes over the document type at `index`; `nil` when the document ends inside of it.
    func documentType(_ passed: inout Passed) throws(XMLFault) -> Int? {
        let open = index
        guard starts(with: "<!DOCTYPE") else {
            // The text may end inside of the word itself.
            if bytes.count - open < 9 { return nil }
            throw fault(open, "a declaration that does not belong here")
        }
        guard documentType == .skipped, passed.documentType == nil, !sawElement else {
            throw fault(open, "a document type declaration is not allowed")
        }
        let limit = min(bytes.count, open + Self.tagLimit)
        guard var place = literalsPassed(from: open + 9, to: [UInt8(ascii: "["), UInt8(ascii: ">")], limit) else {
            return try endless(open, limit)
        }
        if bytes[place] == UInt8(ascii: "[") {
            guard let end = try internalSubset(from: place + 1, limit) else { return try endless(open, limit) }
            guard let close = literalsPassed(from: end, to: [UInt8(ascii: ">")], limit) else {
                return try endless(open, limit)
            }
            guard isSpace(end..<close) else { throw fault(end, "text behind the declarations of a document type") }
            place = close
        }
        passed.documentType = open..<place + 1
        return place + 1
    }

    /// What is said of a declaration whose end was not found.
    private func endless(_ open: Int, _ limit: Int) throws(XMLFault) -> Int? {
        guard limit == bytes.count else { throw fault(open, "a declaration longer than \(Self.tagLimit) bytes") }
        return nil
    }

    /// Passes over the declarations between brackets that cannot bring in text: of elements, attributes and notations, comments and
    /// instructions. An entity, or a reference to one, may.
    ///
    /// - Returns: The place behind the closing bracket; `nil` where the document ends before.
    private func internalSubset(from start: Int, _ limit: Int) throws(XMLFault) -> Int? {
        var place = start
        while place < limit {
            let rest = bytes[place..<limit]
            switch bytes[place] {
            case 0x20, 0x09, 0x0A, 0x0D: place += 1
            case UInt8(ascii: "]"): return place + 1
            case _ where rest.starts(with: "<!--".utf8):
                guard let end = ending(of: "-->", from: place + 4, limit) else { return nil }
                place = end
            case _ where rest.starts(with: "<?".utf8):
                guard let end = ending(of: "?>", from: place + 2, limit) else { return nil }
                place = end
            case _ where ["<!ELEMENT", "<!ATTLIST", "<!NOTATION"].contains { rest.starts(with: $0.utf8) }:
                let marks = [UInt8(ascii: ">"), UInt8(ascii: "%"), UInt8(ascii: "<")]
                guard let end = literalsPassed(from: place + 2, to: marks, limit) else { return nil }
                guard bytes[end] == UInt8(ascii: ">") else {
                    throw fault(end, "a document type that refers to entities is not allowed")
                }
                place = end + 1
            default:
                // The text may end inside of the word itself.
                if limit == bytes.count, limit - place < 10, bytes[place] == UInt8(ascii: "<") { return nil }
                throw fault(place, "a document type that declares entities is not allowed")
            }
        }
        return nil
    }

    /// The place behind the next occurrence of a text.
    private func ending(of text: StaticString, from start: Int, _ limit: Int) -> Int? {
        let length = text.utf8CodeUnitCount
        guard start + length <= limit else { return nil }
        return (start...(limit - length)).first { place in
            bytes[place..<place + length].elementsEqual(XMLBytes(start: text.utf8Start, count: length))
        }.map { $0 + length }
    }

    /// The next of some marks that is not inside of quotes.
    private func literalsPassed(from start: Int, to marks: [UInt8], _ limit: Int) -> Int? {
        var quote: UInt8 = 0
        for place in start..<max(start, limit) {
            let byte = bytes[place]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if marks.contains(byte) {
                return place
            }
        }
        return nil
    }
}
