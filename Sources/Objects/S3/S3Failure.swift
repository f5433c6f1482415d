import Delivery
import NIOHTTP1

/// Why a request to a store failed, and whether the same may work in a moment.
struct S3Failure: Error {
    /// When to send the request again.
    enum Retry: Sendable, Hashable {
        /// Not at all.
        case never
        /// After a short pause.
        case soon
        /// After a longer one: the store has too much to do.
        case slowly
        /// With credentials that are read again.
        case signedAnew
    }

    /// What is told.
    var error: ObjectError
    /// When to send the request again.
    var retry: Retry
    /// The status of the answer; `nil` if none came.
    var status: Int?
    /// The code in the answer, such as `NoSuchKey`; empty if there was none.
    var code = ""
    /// How long the store wants to be left alone, if it said so.
    var wait: Duration?

    /// Whether the store itself said that it has no such object. A 404 without that word may be a proxy's, or of a bucket that is gone.
    var saysMissing: Bool { status == 404 && code == "NoSuchKey" }

    /// A failure that no other attempt mends.
    init(_ error: ObjectError) { (self.error, retry) = (error, .never) }

    /// The longest time that a store may ask for, in seconds.
    private static let longestWait = 60

    /// Makes the failure of an answer that is none of success.
    ///
    /// - Parameter words: The body; empty in an answer to `HEAD`.
    init(status: HTTPResponseStatus, fields: HTTPHeaders, words: [UInt8], without secrets: (String) -> String) {
        let answer = S3Answer(words)
        code = answer?.kind == "Error" ? answer?.code ?? "" : ""
        self.status = Int(status.code)
        wait = fields.wait(atMost: Self.longestWait)
        let message = answer?.kind == "Error" ? ": " + ObjectError.shown(secrets(answer?.message ?? "")) : ""
        let shown = code.isEmpty ? "" : " (\(ObjectError.shown(code)))"
        let meaning = Self.meaning(of: code, Int(status.code))
        retry = meaning.retry
        var hint = meaning.hint
        // A bucket of another region is told by that field, whatever the status.
        let isOurs = meaning.kind == .settings || meaning.kind == .refused
        if isOurs, let region = fields.first(name: "x-amz-bucket-region") {
            hint = "the bucket is in the region \(ObjectError.shown(region))" + (hint.map { "; \($0)" } ?? "")
        }
        error = ObjectError(meaning.kind, "it answered \(status.code)\(shown)\(message)", hint: hint)
    }

    /// Makes the failure of a connection, of reading an answer, or of what takes the bytes.
    init(_ cause: any Error) {
        switch cause {
        case let failure as S3Failure: self = failure
        case let error as ObjectError: self.init(error)
        case is CancellationError: self.init(ObjectError(.later, "the request was interrupted"))
        default:
            let failure = DeliveryError(connection: cause)
            let isSettings = failure.kind == .settings
            self.init(
                ObjectError(
                    isSettings ? .settings : .later, failure.reason,
                    hint: isSettings
                        ? "look at the scheme, port and certificate of the endpoint; SSL_CERT_FILE names authorities"
                        : "look at the address of the endpoint, and at the network"))
            retry = isSettings ? .never : .soon
        }
    }

    private typealias Meaning = (kind: ObjectError.Kind, retry: Retry, hint: String?)

    /// What a code means, or a status where the code says nothing. Source: "Error responses" in the API reference of Amazon S3.
    private static func meaning(of code: String, _ status: Int) -> Meaning {
        switch code {
        case "SlowDown", "ServiceUnavailable", "Throttling", "ThrottlingException", "RequestLimitExceeded",
            "TooManyRequests":
            return (.later, .slowly, "the store has too much to do")
        case "InternalError", "RequestTimeout", "OperationAborted": return (.later, .soon, nil)
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired", "InvalidAccessKeyId":
            return (.settings, .signedAnew, "look at the access key, and at the end of its session")
        case "SignatureDoesNotMatch":
            return (.settings, .never, "look at the secret of the key, and at the region")
        case "RequestTimeTooSkewed": return (.settings, .never, "set the clock of this machine")
        case "NoSuchBucket", "InvalidBucketName": return (.settings, .never, "look at the name of the bucket")
        case "PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed":
            return (.settings, .never, "look at the endpoint and the region")
        case "NotImplemented": return (.settings, .never, "the store lacks what is needed")
        case "XAmzContentSHA256Mismatch", "BadDigest", "IncompleteBody":
            return (.failed, .soon, "something on the way, or the disk here, changes bytes")
        case "EntityTooLarge": return (.tooLarge, .never, "look at the limits of the store")
        case "InvalidObjectState": return (.failed, .never, "the object is archived: restore it")
        case "QuotaExceeded", "InsufficientStorage", "XMinioStorageFull":
            return (.later, .never, "the store has no room")
        default: return meaning(of: status)
        }
    }

    private static func meaning(of status: Int) -> Meaning {
        switch status {
        case 408, 425, 500, 502, 504: (.later, .soon, nil)
        case 429, 503: (.later, .slowly, "the store has too much to do")
        case 507: (.later, .never, "the store has no room")
        case 501: (.settings, .never, "the store lacks what is needed")
        case 300..<400: (.settings, .never, "look at the endpoint and the region")
        case 401, 403: (.refused, .never, "look at what the key of the credentials may do with the bucket")
        case 404, 405: (.settings, .never, "look at the endpoint, the bucket and the way it is addressed")
        case 413: (.tooLarge, .never, "look at the limits of the store")
        case 500...: (.later, .soon, nil)
        default: (.failed, .never, nil)
        }
    }
}
