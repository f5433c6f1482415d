extension StringProtocol {
    /// The first place of a text that is not empty, compared byte by byte.
    func firstRange(ofBytes other: String) -> Range<Index>? {
        guard let first = other.utf8.first else { return nil }
        var start = utf8.startIndex
        while let index = utf8[start...].firstIndex(of: first) {
            if utf8[index...].starts(with: other.utf8) {
                return index..<utf8.index(index, offsetBy: other.utf8.count)
            }
            start = utf8.index(after: index)
        }
        return nil
    }
}

extension Substring {
    /// The last place of a text, compared byte by byte.
    func lastRange(ofBytes other: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            utf8.formIndex(before: &start)
            if self[start...].utf8.starts(with: other.utf8) {
                return start..<utf8.index(start, offsetBy: other.utf8.count)
            }
        }
        return nil
    }
}
