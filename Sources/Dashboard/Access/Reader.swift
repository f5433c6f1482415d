import Access

/// Who reads: anyone, or the holder of a token. Projects that a reader may not see do not exist for it.
struct Reader: Sendable {
    /// The token; `nil` where anyone may read.
    let token: AccessToken?

    /// Somebody who may see everything.
    static let anyone = Reader(token: nil)

    /// Whether a project exists for this reader.
    func sees(_ project: String) -> Bool { token?.covers(project) ?? true }

    /// Whether all projects do.
    var seesEverything: Bool { token?.coversEverything ?? true }
}
