import Foundation
import Synchronization

/// Finds the credentials of this machine, in the order of the tools of AWS: environment, file, service of the machine.
///
/// The first that has any counts. What is there and cannot be used is an error, and not passed over: requests would be
/// those of somebody else. They are kept in memory, and requested again before they expire and when a store no longer
/// takes them.
public final class CredentialSource: Sendable {
    /// How long before they end credentials are no longer used, in seconds.
    private static let margin: TimeInterval = 300

    private let environment: [String: String]
    private let file: String?
    private let kept = Mutex<ObjectCredentials?>(nil)

    /// Names the sources; nothing is read yet.
    ///
    /// - Parameters:
    ///   - environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `AWS_SHARED_CREDENTIALS_FILE` and
    ///     `AWS_PROFILE`; `AWS_EC2_METADATA_DISABLED` and `AWS_EC2_METADATA_SERVICE_ENDPOINT`; `HOME`.
    ///   - file: A file of credentials that counts before all of these; `nil` for none.
    public init(environment: [String: String], file: String? = nil) {
        (self.environment, self.file) = (environment, file)
    }

    /// Credentials that can be used now.
    ///
    /// - Throws: `ObjectError` of kind `.settings` where there are none, `.later` where the service of the machine is not reached; it
    ///   awaits credentials where that service may have some later.
    func credentials(at moment: Date) async throws(ObjectError) -> ObjectCredentials {
        if let kept = kept.withLock({ $0 }), kept.expires.map({ $0.timeIntervalSince(moment) > Self.margin }) ?? true {
            return kept
        }
        let found = try await find(at: moment)
        kept.withLock { $0 = found }
        return found
    }

    /// Forgets credentials that a store no longer takes, so that they are read again.
    func forget(_ credentials: ObjectCredentials) {
        kept.withLock { if $0 == credentials { $0 = nil } }
    }

    private func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    private func find(at moment: Date) async throws(ObjectError) -> ObjectCredentials {
        let profile = variable("AWS_PROFILE")
        if let file {
            guard let found = try CredentialsFile(path: file)?.credentials(of: profile ?? "default") else {
                throw Self.nothing(in: file, profile)
            }
            return found
        }
        if let found = try ofEnvironment() { return found }
        let named = variable("AWS_SHARED_CREDENTIALS_FILE")
        if let path = named ?? variable("HOME").map({ "\($0)/.aws/credentials" }) {
            if let found = try CredentialsFile(path: path)?.credentials(of: profile ?? "default") { return found }
            guard named == nil, profile == nil else { throw Self.nothing(in: path, profile) }
        }
        if variable("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" {
            let metadata = try InstanceMetadata(endpoint: variable("AWS_EC2_METADATA_SERVICE_ENDPOINT"))
            return try await credentials(of: metadata, at: moment)
        }
        throw Self.none
    }

    private static let none = ObjectError(
        .settings, "there are no credentials",
        hint: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, ~/.aws/credentials, or a role of the machine")

    /// The credentials of the role of the machine. Where its service does not answer, nobody can tell whether it has one.
    private func credentials(
        of metadata: InstanceMetadata, at moment: Date
    ) async throws(ObjectError) -> ObjectCredentials {
        var failure = Self.none
        do throws(ObjectError) {
            if let found = try await metadata.credentials(at: moment) { return found }
        } catch {
            failure = error
        }
        failure.awaitsCredentials = true
        throw failure
    }

    private func ofEnvironment() throws(ObjectError) -> ObjectCredentials? {
        let (key, secret) = (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"))
        if key == nil, secret == nil { return nil }
        guard
            let found = ObjectCredentials(
                accessKey: key ?? "", secret: secret ?? "", sessionToken: variable("AWS_SESSION_TOKEN"))
        else {
            throw ObjectError(
                .settings, "the credentials in the environment cannot be used",
                hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY both, without spaces, or neither")
        }
        return found
    }

    private static func nothing(in path: String, _ profile: String?) -> ObjectError {
        ObjectError(
            .settings, "\(path): there is no profile '\(ObjectError.shown(profile ?? "default"))'",
            hint: "look at the name of the file, and at AWS_PROFILE")
    }
}
