extension String {
    /// The beginning of a text, of about `most` bytes: a single character may have any number of them.
    package func cut(toBytes most: Int) -> String {
        utf8.count <= most ? self : String(decoding: utf8.prefix(most), as: UTF8.self)
    }
}
