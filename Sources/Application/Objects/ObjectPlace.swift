import Delivery
import Foundation
import Gate
import Objects

/// Where the objects of runs are: `s3://BUCKET/PREFIX`, or `folder:///PATH`.
package struct ObjectPlace: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: Sendable, Hashable {
        case folder(String)
        case bucket(S3Location)
    }

    private let kind: Kind

    /// As it is written.
    package var description: String {
        switch kind {
        case .folder(let path): "folder://\(path)"
        case .bucket(let location): "\(location)"
        }
    }

    /// Reads a place.
    ///
    /// - Throws: `Problem` for what names none.
    package init(_ text: String) throws(Problem) {
        let scheme = "folder://"
        if text.utf8.starts(with: scheme.utf8) {
            let path = String(decoding: text.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
            guard path.hasPrefix("/"), path.utf8.count > 1 else {
                throw Problem(
                    .usage, "'\(text)' names no folder for objects", hint: "an absolute path: folder:///srv/objects")
            }
            kind = .folder(path)
            return
        }
        do throws(ObjectError) {
            kind = .bucket(try S3Location(text))
        } catch {
            throw Problem(
                .usage, "'\(text)' names no place for objects: \(error)", hint: error.hint ?? "s3://BUCKET/PREFIX")
        }
    }

    /// Lends the objects for as long as `body` runs; connections to a store end with it.
    ///
    /// - Throws: What `body` throws; `ObjectError` and `Problem` for settings that cannot be used.
    package func with<Result: Sendable>(
        _ process: ProcessContext, _ body: (RunObjects) async throws -> Result
    ) async throws -> Result {
        let now: @Sendable () -> Date = { process.now }
        let server = String(process.makeNonce().prefix(16))
        switch kind {
        case .folder(let path):
            let store = FolderStore(path: path)
            store.removeUnfinished(now: process.now)
            return try await body(RunObjects(store, at: description, server: server, now: now))
        case .bucket(let location):
            let environment = process.environment
            let settings = try S3Settings(location, environment: environment)
            return try await S3Store.with(
                settings, credentials: CredentialSource(environment: environment), proxies: ProxySettings(environment),
                now: now
            ) { try await body(RunObjects($0, at: description, server: server, now: now)) }
        }
    }
}
