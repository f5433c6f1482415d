import Foundation
import Gate

/// Why a command could not do what was asked: what a person is told, and the status the program exits with.
struct Problem: Error {
    /// The exit status.
    let status: ExitStatus
    /// A lower-case fragment that fits "kanmon: …".
    let reason: String
    /// What to do about it; printed as "Try: …".
    let hint: String?

    /// Makes a problem from its parts.
    init(_ status: ExitStatus, _ reason: String, hint: String? = nil) {
        self.status = status
        self.reason = reason
        self.hint = hint
    }
}

extension Error {
    /// What the system said: Foundation's own words hide it behind a number of its own.
    var fileSystemReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey]
        if let error = underlying as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
        if let error = underlying as? NSError, error.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
        }
        return localizedDescription
    }
}
