/// Why a piece of JSON was refused.
struct JSONFault: Error, Equatable {
    /// The offset of the faulty byte.
    let offset: Int
    /// A lower-case fragment.
    let reason: String
    /// Whether the text ended where more was expected.
    let isTruncation: Bool
    /// Whether a limit is exceeded.
    let isLimit: Bool

    init(offset: Int, reason: String, isTruncation: Bool = false, isLimit: Bool = false) {
        self.offset = offset
        self.reason = reason
        self.isTruncation = isTruncation
        self.isLimit = isLimit
    }
}
