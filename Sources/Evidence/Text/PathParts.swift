extension String {
    /// The parts of a path between its slashes, split by bytes: to `Character`, a slash before a combining mark is no slash.
    package func pathParts(omittingEmpty: Bool = true) -> [Substring] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmpty).map { Substring($0) }
    }
}
