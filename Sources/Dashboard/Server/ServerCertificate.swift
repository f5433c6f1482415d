import Evidence
import Foundation
import Logging
import NIOCore
import NIOSSL
import RunModel
import Synchronization

/// The certificate that clients are shown. It is read again when a file has changed, so that a renewal needs no restart.
final class ServerCertificate: Sendable {
    private struct Pair: Sendable {
        let chain: [NIOSSLCertificateSource]
        let key: NIOSSLPrivateKeySource

        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
            configuration.minimumTLSVersion = .tlsv12
            // Who gets the key one day cannot read what was recorded before; TLS 1.3 has no others.
            configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
            return configuration
        }
    }

    private struct State {
        var pair: Pair
        var editions: [FileEdition?]
    }

    private let files: TLSFiles
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads both files.
    ///
    /// - Throws: `TLSError` if they cannot be read, others may read the key, the key is not that of the certificate, or the
    ///   certificate has expired or is not valid yet.
    init(_ files: TLSFiles, now: @escaping @Sendable () -> Date, logger: Logger) throws(TLSError) {
        self.files = files
        self.now = now
        self.logger = logger
        // Before the files are read: what is read is never older.
        let editions = Self.editions(files)
        state = Mutex(State(pair: try Self.read(files, at: now()), editions: editions))
    }

    /// For all connections: each asks for the certificate as it is then.
    var configuration: TLSConfiguration {
        var configuration = state.withLock { $0.pair.configuration }
        configuration.sslContextCallback = { [self] _, promise in
            let pair = current()
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = pair.chain
            override.privateKey = pair.key
            promise.succeed(override)
        }
        return configuration
    }

    /// The pair of files as it is now. Between two renames the files do not belong together: the pair before stays until they do.
    private func current() -> Pair {
        let editions = Self.editions(files)
        return state.withLock { state in
            guard editions != state.editions else { return state.pair }
            state.editions = editions
            do throws(TLSError) {
                state.pair = try Self.read(files, at: now())
                logger.notice("the certificate has changed and is used from now on")
            } catch {
                logger.error("the certificate before stays in use", metadata: ["error": .string("\(error)")])
            }
            return state.pair
        }
    }

    private static func editions(_ files: TLSFiles) -> [FileEdition?] {
        [FileEdition(of: files.certificate), FileEdition(of: files.key)]
    }

    private static func read(_ files: TLSFiles, at moment: Date) throws(TLSError) -> Pair {
        let certificates = try readable(files.certificate, "it holds no certificate in PEM") {
            try NIOSSLCertificate.fromPEMFile(files.certificate)
        }
        guard let own = certificates.first else {
            throw TLSError(file: files.certificate, reason: "it holds no certificate in PEM")
        }
        try checkTime(of: own, in: files.certificate, at: moment)
        if FileStatus(at: files.key)?.isOpenToEverybody == true {
            throw TLSError(file: files.key, reason: "every user of this machine can read it; chmod o= takes that away")
        }
        let key = try readable(files.key, "it holds no private key in PEM without a password") {
            try NIOSSLPrivateKey(file: files.key, format: .pem)
        }
        let pair = Pair(chain: certificates.map { .certificate($0) }, key: .privateKey(key))
        _ = try readable(files.key, "it is not the key of the certificate in \(files.certificate)") {
            try NIOSSLContext(configuration: pair.configuration)
        }
        return pair
    }

    /// Refuses a certificate that no client would accept now.
    private static func checkTime(
        of certificate: NIOSSLCertificate, in file: String, at moment: Date
    ) throws(TLSError) {
        let begin = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
        let end = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
        if moment > end { throw TLSError(file: file, reason: "it has expired on \(Timestamp.utc(end))") }
        // Clocks differ a little.
        if moment < begin.addingTimeInterval(-300) {
            throw TLSError(file: file, reason: "it is not valid before \(Timestamp.utc(begin))")
        }
    }

    /// What `body` makes of a file, or why not: the system's reason, or that the content is wrong.
    private static func readable<Result>(
        _ path: String, _ wrong: String, _ body: () throws -> Result
    ) throws(TLSError) -> Result {
        guard access(path, R_OK) == 0 else {
            throw TLSError(file: path, reason: String(cString: strerror(errno)))
        }
        // Opening a pipe would wait for whoever writes into it.
        guard FileStatus(at: path)?.isRegularFile == true else {
            throw TLSError(file: path, reason: "it is no regular file")
        }
        do {
            return try body()
        } catch {
            throw TLSError(file: path, reason: wrong)
        }
    }
}
