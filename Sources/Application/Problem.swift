import Foundation
package import Gate

/// Why a command failed: the message for the user, and the exit status.
package struct Problem: Error {
    package let status: ExitStatus
    /// A fragment in lower case for "kanmon: …".
    package let reason: String
    /// What to do about it; printed as "Try: …".
    package let hint: String?

    /// Makes a problem from its parts.
    package init(_ status: ExitStatus, _ reason: String, hint: String? = nil) {
        (self.status, self.reason, self.hint) = (status, reason, hint)
    }

    /// Says it on standard error, with what to do about it.
    package func tell() {
        StandardStreams.tell("kanmon: \(reason)")
        if let hint { StandardStreams.tell("Try: \(hint)") }
    }
}

extension Error {
    /// The message of the system, which Foundation's description hides.
    package var fileSystemReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey]
        if let error = underlying as? POSIXError { return String(cString: strerror(error.code.rawValue)) }
        if let error = underlying as? NSError, error.domain == NSPOSIXErrorDomain {
            return String(cString: strerror(Int32(truncatingIfNeeded: error.code)))
        }
        return localizedDescription
    }
}
