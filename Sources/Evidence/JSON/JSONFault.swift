/// Why a piece of JSON was refused.
package struct JSONFault: Error, Equatable {
    /// The offset of the faulty byte.
    package let offset: Int
    /// A lower-case fragment.
    package let reason: String
    /// Whether the text ended where more was expected.
    package let isTruncation: Bool
    /// Whether a limit is exceeded.
    package let isLimit: Bool

    init(offset: Int, reason: String, isTruncation: Bool = false, isLimit: Bool = false) {
        self.offset = offset
        self.reason = reason
        self.isTruncation = isTruncation
        self.isLimit = isLimit
    }
}
