/// Why a server refuses a call of a machine, as a code for programs and for counts.
public enum RefusalCode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The request cannot be read.
    case malformed
    /// No token, or one that is not valid.
    case invalidToken = "invalid-token"
    /// The scope or the projects of the token do not allow it.
    case notAllowed = "not-allowed"
    /// There is no such address.
    case notFound = "not-found"
    /// The address does not have this method.
    case wrongMethod = "wrong-method"
    /// The id is known with other bytes, of another project, or from another token.
    case conflict
    /// The request does not say how long its body is.
    case lengthMissing = "length-missing"
    /// Something in the request is above a limit of size.
    case tooLarge = "too-large"
    /// The run is inconsistent: no run can be like that.
    case impossible
    /// Too many calls in a time.
    case tooMany = "too-many"
    /// The server itself failed.
    case serverFailed = "server-failed"
    /// It may work later.
    case notNow = "not-now"
    /// The disk of the server is nearly full.
    case diskFull = "disk-full"
}

extension RefusalCode: Comparable {
    /// In the order of their texts.
    public static func < (left: RefusalCode, right: RefusalCode) -> Bool { left.rawValue < right.rawValue }
}
