import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Objects

@Suite struct CredentialSourceTests {
    private let folder: TemporaryFolder
    private let moment = Date(timeIntervalSince1970: 1_767_225_600)

    init() throws { folder = try TemporaryFolder() }

    /// The parts of the credentials that are found; no service of the machine is asked, unless one is named.
    private func found(_ environment: [String: String], file: String? = nil) async throws -> [String?] {
        let all = environment.merging(["AWS_EC2_METADATA_DISABLED": "true"]) { own, _ in own }
        let credentials = try await CredentialSource(environment: all, file: file).credentials(at: moment)
        return [credentials.accessKey, credentials.secret, credentials.sessionToken]
    }

    private func failure(_ environment: [String: String], file: String? = nil) async -> ObjectError? {
        await #expect(throws: ObjectError.self) { _ = try await found(environment, file: file) }
    }

    /// A home with a file of credentials.
    private func home() throws -> [String: String] {
        let text = """
            # of the team
            [default]
            aws_access_key_id = own
            AWS_SECRET_ACCESS_KEY=s1==
              region = ignored

            [ci]\r
            aws_access_key_id=ci ; what is behind belongs to the value
            aws_secret_access_key = s2
            [ci 2]
            aws_access_key_id = ci2
            aws_secret_access_key = s3
            aws_session_token = t3
            [role]
            role_arn = arn:aws:iam::1:role/r
            no line at all
            """
        try folder.write(text, to: ".aws/credentials")
        return ["HOME": folder.path]
    }

    @Test func `the environment counts before the file, and the file before nothing`() async throws {
        let variables = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
        #expect(try await found(variables.merging(try home()) { $1 }) == ["key", "secret", nil])
        #expect(
            try await found(variables.merging(["AWS_SESSION_TOKEN": "token"]) { $1 }) == ["key", "secret", "token"])
        #expect(try await found(try home()) == ["own", "s1==", nil])
        let nothing = await failure([:])
        #expect(nothing?.kind == .settings && nothing?.reason == "there are no credentials")
    }

    @Test func `a profile, another file and a given file are those that are read`() async throws {
        let home = try home()
        #expect(try await found(home.merging(["AWS_PROFILE": "ci 2"]) { $1 }) == ["ci2", "s3", "t3"])
        let other = try folder.write("[default]\naws_access_key_id=o\naws_secret_access_key=s\n", to: "other")
        #expect(try await found(home.merging(["AWS_SHARED_CREDENTIALS_FILE": other]) { $1 }) == ["o", "s", nil])
        let variables = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
        #expect(try await found(variables, file: other) == ["o", "s", nil])
        // Containers mount files as links.
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: other)
        #expect(try await found([:], file: "\(folder.path)/link") == ["o", "s", nil])
    }

    @Test func `what is there and cannot be used is not passed over`() async throws {
        let home = try home()
        let unusable: [[String: String]] = [
            ["AWS_ACCESS_KEY_ID": "key"], ["AWS_SECRET_ACCESS_KEY": "secret"],
            ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "se cret"],
            ["AWS_PROFILE": "role"], ["AWS_PROFILE": "none"], ["AWS_PROFILE": "ci"],
            ["AWS_SHARED_CREDENTIALS_FILE": "\(folder.path)/none"], ["AWS_SHARED_CREDENTIALS_FILE": folder.path],
        ]
        for variables in unusable {
            let environment = home.merging(variables) { $1 }
            let error = await failure(environment)
            #expect(error?.kind == .settings && error?.hint != nil, "\(environment)")
            #expect(error?.reason.contains("se cret") == false)
        }
        #expect(await failure(home, file: "\(folder.path)/none")?.kind == .settings)
    }

    /// A service of the machine: answers by path, after a token was asked for.
    private func service(_ answers: [String: TestServer.Reply], asked: CountOfCalls) async throws -> TestServer {
        try await TestServer { request in
            asked.add(request.line)
            if request.line == "PUT /latest/api/token" {
                return request.fields["x-aws-ec2-metadata-token-ttl-seconds"] == "21600"
                    ? .text(200, "a-token==") : .answer(400)
            }
            guard request.fields["x-aws-ec2-metadata-token"] == "a-token==" else { return .answer(401) }
            return answers[request.target] ?? .answer(404)
        }
    }

    private static let path = "/latest/meta-data/iam/security-credentials/"

    private static func answer(until moment: String, code: String = "Success") -> TestServer.Reply {
        .text(
            200,
            #"{"Code":"\#(code)","Type":"AWS-HMAC","AccessKeyId":"role","SecretAccessKey":"s","Token":"t","#
                + #""Expiration":"\#(moment)"}"#)
    }

    @Test func `a machine with a role has credentials, which are asked for anew before they end`() async throws {
        let calls = CountOfCalls()
        let server = try await service(
            [Self.path: .text(200, "a role\n"), Self.path + "a%20role": Self.answer(until: "2026-01-01T01:00:00Z")],
            asked: calls)
        let environment = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address, "HOME": folder.path]
        let source = CredentialSource(environment: environment)
        for seconds in [0.0, 3299] {
            let credentials = try await source.credentials(at: moment + seconds)
            #expect([credentials.accessKey, credentials.secret, credentials.sessionToken] == ["role", "s", "t"])
        }
        #expect(calls.lines == ["PUT /latest/api/token", "GET \(Self.path)", "GET \(Self.path)a%20role"])
        _ = try await source.credentials(at: moment + 3301)
        #expect(calls.lines.count == 6)
        // What has ended is of no use, whoever says so.
        await #expect(throws: ObjectError.self) { try await source.credentials(at: moment + 3601) }
        try await server.stop()
    }

    @Test func `a machine without a role, or without the service, has none; other answers are errors`() async throws {
        let (list, later) = (TestServer.Reply.text(200, "role"), "2026-01-01T01:00:00Z")
        for (answers, kind) in [
            ([:], .settings), ([Self.path: .text(200, "")], .settings), ([Self.path: list], .settings),
            ([Self.path: .answer(500)], .later),
            ([Self.path: list, Self.path + "role": .text(200, "<html>")], .failed),
            ([Self.path: list, Self.path + "role": Self.answer(until: later, code: "Failed")], .failed),
            ([Self.path: list, Self.path + "role": Self.answer(until: "soon")], .failed),
        ] as [([String: TestServer.Reply], ObjectError.Kind)] {
            let server = try await service(answers, asked: CountOfCalls())
            let environment = [
                "AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address, "AWS_EC2_METADATA_DISABLED": "false",
            ]
            let error = await failure(environment)
            #expect(error?.kind == kind && error?.awaitsCredentials == true)
            try await server.stop()
            #expect(await failure(environment)?.reason == "there are no credentials")
        }
    }

    @Test func `only the service of the machine may have credentials later`() async throws {
        let server = try await TestServer { _ in .answer(404) }
        let address = server.address
        try await server.stop()
        let service = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": address, "AWS_EC2_METADATA_DISABLED": "false"]
        #expect(await failure(service)?.awaitsCredentials == true)
        let wrong: [[String: String]] = [
            [:], ["AWS_ACCESS_KEY_ID": "key"], ["AWS_SHARED_CREDENTIALS_FILE": "\(folder.path)/none"],
            ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "no address", "AWS_EC2_METADATA_DISABLED": "false"],
        ]
        for variables in wrong {
            let error = await failure(variables)
            #expect(error?.kind == .settings && error?.awaitsCredentials == false, "\(variables)")
        }
    }
}

/// The calls that a server was sent.
private final class CountOfCalls: Sendable {
    private let state = Mutex<[String]>([])

    func add(_ line: String) { state.withLock { $0.append(line) } }
    var lines: [String] { state.withLock { $0 } }
}
