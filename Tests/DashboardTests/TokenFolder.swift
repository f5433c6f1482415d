import Access
import Evidence
import Foundation
import RunModel
import Synchronization
import TestSupport

@testable import Dashboard

/// Tokens, a folder of blobs, and a dashboard that knows both.
final class TokenFolder: Sendable {
    private let folder: TemporaryFolder
    var path: String { folder.path }
    let file: TokenFile
    let blobs: BlobStore
    /// What a dashboard signs verdicts with, if it is asked to.
    let key: ServerKey
    let taken = Mutex<[(RunID, DeliverySender)]>([])

    init() throws {
        folder = try TemporaryFolder()
        file = TokenFile(path: folder.path + "/tokens.json")
        blobs = BlobStore(path: folder.path + "/blobs")
        key = ServerKey(path: folder.path + "/server.key")
    }

    /// The path of what is remembered of machines.
    var machines: String { folder.path + "/machines.json" }

    /// Makes a token, and returns its secret.
    func token(
        _ name: String, _ scope: AccessScope, projects: [String] = ["*"], expires: Date? = nil
    ) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let secret = TokenSecret(using: &generator)
        try file.add(
            AccessToken(
                name: name, scope: scope, projects: projects.compactMap { ProjectPattern($0) },
                created: SampleRuns.moment, expires: expires, sha256: secret.sha256))
        return secret.text
    }

    /// The files that were sent with the token of a secret.
    func sent(_ secret: String) throws -> BlobStore {
        guard let secret = TokenSecret(secret) else { throw CredentialError() }
        return blobs.sent(by: secret.sha256)
    }

    /// A dashboard that takes every run whose files the same token has sent.
    func dashboard(
        store: SampleStore? = nil, reading: OpenReading = .untilTokens, leastFree: Double = 0,
        configuration: DashboardConfiguration = DashboardConfiguration(), proxy: TrustedProxy? = nil,
        keys: AddressKeys? = nil, signs: Bool = false, ledger: MachineLedger? = nil,
        name: @escaping @Sendable (String) throws -> String = { $0 }, followed: FollowedObjects? = nil,
        clock: @escaping @Sendable () -> Date = { SampleRuns.moment.addingTimeInterval(7200) },
        access: (@Sendable (AccessEntry) -> Void)? = nil
    ) throws -> SampleDashboard {
        let deliveries = DeliveryService(blobs: blobs, leastFree: leastFree, name: name, followed: { followed }) {
            [blobs, weak self] id, delivery, sender in
            let missing = try blobs.sent(by: sender.identity).missing(of: delivery)
            guard missing.isEmpty else { return DeliveryReceipt(.incomplete, missing: missing) }
            self?.taken.withLock { $0.append((id, sender)) }
            return DeliveryReceipt(.stored, decision: "passed")
        }
        return try SampleDashboard(
            store: store?.store, configuration: configuration,
            control: AccessControl(tokens: TokenRegistry(file), reading: reading, proxy: proxy, keys: keys),
            deliveries: deliveries, key: signs ? key : nil, ledger: ledger ?? MachineLedger(path: nil), clock: clock,
            access: access
        )
    }

    /// A list of files as it is sent.
    static func list(_ project: String, _ files: [Delivery.File]) throws -> [UInt8] {
        Array(try JSONEncoder().encode(Delivery(project: project, files: files)))
    }

    /// A list of one file.
    static func list(_ project: String = "kit", holding bytes: [UInt8] = Array("{}".utf8)) throws -> [UInt8] {
        try list(
            project, [.init(path: "manifest.json", sha256: Digest.sha256(bytes), size: bytes.count)])
    }
}
