extension Substring {
    /// The first place of a text, compared byte by byte.
    func firstRange(ofBytes other: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].utf8.starts(with: other.utf8) {
                return start..<utf8.index(start, offsetBy: other.utf8.count)
            }
            utf8.formIndex(after: &start)
        }
        return nil
    }

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
