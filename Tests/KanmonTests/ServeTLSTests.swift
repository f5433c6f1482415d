import Foundation
import Subprocess
import TestSupport
import Testing

/// The server with a certificate of its own, asked by the program over a real connection.
@Suite struct ServeTLSTests {
    private let folder: TestFolder
    private let port: Int

    init() throws {
        folder = try TestFolder()
        port = try Self.freePort()
    }

    private var server: String { "https://localhost:\(port)" }
    private var certificate: String { "\(folder.path)/server.pem" }
    private var key: String { "\(folder.path)/server.key" }

    /// A port that nobody listens on now.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(result)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private func openssl(_ words: String...) async throws {
        let made = try await Subprocess.run(
            .name("openssl"), arguments: Arguments(words), output: .discarded, error: .string(limit: 1 << 16))
        try #require(made.terminationStatus.isSuccess, "\(made.standardError)")
    }

    /// Puts a certificate that has expired, and its key, in place of what is there.
    private func issueExpired() async throws {
        let place = "\(folder.path)/authority"
        try folder.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(place)/index
            serial = \(place)/serial
            new_certs_dir = \(place)
            default_md = sha256
            policy = any
            [any]
            commonName = supplied

            """, to: "authority/settings")
        try folder.write("", to: "authority/index")
        try folder.write("01\n", to: "authority/serial")
        try await openssl(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=localhost",
            "-keyout", key, "-out", "\(place)/request")
        try #require(chmod(key, 0o600) == 0)
        try await openssl(
            "ca", "-batch", "-config", "\(place)/settings", "-selfsign", "-keyfile", key, "-in", "\(place)/request",
            "-notext",
            "-startdate", "20200101000000Z", "-enddate", "20200102000000Z", "-out", certificate)
    }

    /// Makes a certificate that vouches for itself, and its key, and puts both in place of what is there.
    private func issue(serial: Int) async throws {
        let (fresh, freshKey) = ("\(certificate).new", "\(key).new")
        let made = try await Subprocess.run(
            .name("openssl"),
            arguments: [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-set_serial", "\(serial)", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                "-keyout", freshKey, "-out", fresh,
            ], output: .discarded, error: .string(limit: 1 << 16))
        try #require(made.terminationStatus.isSuccess, "\(made.standardError)")
        try #require(chmod(freshKey, 0o600) == 0)
        try #require(rename(freshKey, key) == 0 && rename(fresh, certificate) == 0)
    }

    private var serving: [String] {
        Program.serve + ["--port", "\(port)", "--tls-certificate", certificate, "--tls-key", key]
    }

    @Test func `runs are delivered over TLS, a renewed certificate is used at once, and no other is trusted`()
        async throws
    {
        try await issue(serial: 1)
        let own = Program(folder: folder)
        let token = try await own.run(["token", "create", "laptop", "--scope", "submit", "--project", "*"]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let laptop = Program(
            folder: try TestFolder(), variables: ["KANMON_TOKEN": token, "SSL_CERT_FILE": certificate])
        let served = try await own.run(serving) { send in
            defer { try? send(.terminate) }
            var login = try await laptop.run(["login", server])
            for _ in 0..<3000 where login.status == 74 {
                try await Task.sleep(for: .milliseconds(100))
                login = try await laptop.run(["login", server])
            }
            #expect(login.status == 0, "\(login.messages)")
            let delivered = try await laptop.run(["ingest", try folder.seededRun("Mixed")])
            #expect(delivered.messages.contains("kanmon: delivered: \(server)/runs/"), "\(delivered.messages)")
            // Without the file, the authorities of the system count, and none of them has vouched for it.
            let stranger = Program(folder: laptop.folder, variables: ["KANMON_TOKEN": token])
            let pushed = try await stranger.run(["push", "--all", "--delivery-timeout", "600s"])
            #expect(
                pushed.status == 74 && pushed.messages.contains("its certificate is not trusted here"),
                "\(pushed.messages)")
            let refused = try await stranger.run(["login", server])
            #expect(refused.status == 78)
            #expect(refused.messages.split(separator: "\n").count == 2, "\(refused.messages)")
            #expect(
                refused.messages.contains("\nTry: name a file with the certificate of its authority in SSL_CERT_FILE"))
            #expect(!refused.messages.contains("BoringSSL") && !refused.messages.contains(".cc"), "\(refused.messages)")
            // The certificate has a name, and the address is another one.
            let misnamed = try await laptop.run(["login", server.replacing("localhost", with: "127.0.0.1")])
            #expect(
                misnamed.status == 78 && misnamed.messages.contains("its certificate is that of another name"),
                "\(misnamed.messages)")
            try await issue(serial: 2)
            let renewed = try await laptop.run(["push", "--all"])
            #expect(renewed.status == 0, "\(renewed.messages)")
            // The certificate stays in use while its files do not fit or are gone.
            try FileManager.default.removeItem(atPath: key)
            #expect(try await laptop.run(["push", "--all"]).status == 0)
        }
        #expect(served.messages.contains("kanmon: serving on https://127.0.0.1:\(port)/"))
        #expect(served.messages.contains("the certificate before stays in use"))
    }

    @Test func `a certificate that cannot be used keeps the server from listening, with the reason`() async throws {
        try await issue(serial: 1)
        let program = Program(folder: folder)
        #expect(try await program.run(["ingest", "\(TestFolder.runs)/Mixed"]).status <= 2)
        func refused(_ reason: String) async throws {
            let outcome = try await program.run(serving)
            #expect(outcome.status == 69 || outcome.status == 74 || outcome.status == 78, "\(outcome)")
            #expect(outcome.messages.contains(reason), "\(outcome.messages)")
        }
        try #require(chmod(key, 0o644) == 0)
        try await refused("every user of this machine can read it")
        try #require(chmod(key, 0o600) == 0)
        let text = try String(contentsOfFile: key, encoding: .utf8)
        try "no key".write(toFile: key, atomically: false, encoding: .utf8)
        try await refused("it holds no private key in PEM without a password")
        try await issue(serial: 2)
        try text.write(toFile: key, atomically: false, encoding: .utf8)
        try await refused("it is not the key of the certificate")
        try await openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key)
        try #require(chmod(key, 0o600) == 0)
        try await refused("it is not the key of the certificate")
        try await issueExpired()
        try await refused("it has expired on 2020-01-02T00:00:00Z")
        for file in [certificate, key] {
            try await issue(serial: 3)
            try FileManager.default.removeItem(atPath: file)
            try #require(mkfifo(file, 0o600) == 0)
            try await refused("it is no regular file")
        }
        try FileManager.default.removeItem(atPath: certificate)
        try await refused("No such file or directory")
        #expect(try await program.run(["serve", "--tls-key", key]).status == 64)
    }
}
