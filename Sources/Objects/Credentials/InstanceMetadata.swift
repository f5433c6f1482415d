import AsyncHTTPClient
import Delivery
import Foundation
import NIOCore
import NIOHTTP1
import RunModel

/// The service from which a virtual machine of AWS has the credentials of its role: version 2, which answers only to who has asked for
/// a token first.
///
/// It is on the machine's own link, so it is never asked through a proxy, and what does not answer at once is not there.
struct InstanceMetadata: Sendable {
    /// The largest answer that is read, in bytes.
    private static let largestAnswer = 64 << 10
    private static let folder = "/latest/meta-data/iam/security-credentials/"

    private let address: ServerAddress

    /// - Parameter endpoint: The address of the service; `nil` for the usual one.
    /// - Throws: `ObjectError` of kind `.settings` for what is no address.
    init(endpoint: String?) throws(ObjectError) {
        do throws(ServerAddressError) {
            address = try ServerAddress(endpoint ?? "http://169.254.169.254")
        } catch {
            throw ObjectError(.settings, "AWS_EC2_METADATA_SERVICE_ENDPOINT: \(error)")
        }
    }

    /// The credentials of the role of this machine; `nil` where there is no such service, or no role.
    ///
    /// - Throws: `ObjectError` where the service is there, and its answer cannot be used.
    func credentials(at moment: Date) async throws(ObjectError) -> ObjectCredentials? {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(1), read: .seconds(2)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do throws(ObjectError) {
            let found = try await credentials(http, at: moment)
            try? await http.shutdown()
            return found
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    private func credentials(_ http: HTTPClient, at moment: Date) async throws(ObjectError) -> ObjectCredentials? {
        let lifetime = ("X-aws-ec2-metadata-token-ttl-seconds", "21600")
        let token: String
        do {
            guard let text = try await ask(http, .PUT, "/latest/api/token", lifetime) else { return nil }
            token = text
        } catch {
            // Most machines are none of AWS.
            return nil
        }
        let field = ("X-aws-ec2-metadata-token", token)
        do {
            guard let roles = try await ask(http, .GET, Self.folder, field),
                let role = roles.split(whereSeparator: \.isNewline).first
            else { return nil }
            let name = PercentEncoding.encode(String(role), keepsSlashes: false)
            guard let text = try await ask(http, .GET, Self.folder + name, field) else { return nil }
            let answer = try JSONDecoder().decode(Answer.self, from: Data(text.utf8))
            guard answer.code == "Success", let expires = Timestamp.date(of: answer.expires), expires > moment,
                let found = ObjectCredentials(
                    accessKey: answer.accessKey, secret: answer.secret, sessionToken: answer.token,
                    expires: expires)
            else { throw Self.unusable }
            return found
        } catch let error as ObjectError {
            throw error
        } catch is DecodingError {
            throw Self.unusable
        } catch {
            throw ObjectError(
                .later, "the service of this machine with its credentials: \(DeliveryError(connection: error).reason)")
        }
    }

    private static let unusable = ObjectError(
        .failed, "the service of this machine has no credentials that can be used",
        hint: "look at the role of the machine, and at its clock")

    /// What the service answers; `nil` if it has no such thing.
    private func ask(
        _ http: HTTPClient, _ method: HTTPMethod, _ path: String, _ field: (name: String, value: String)
    ) async throws -> String? {
        var request = HTTPClientRequest(url: address.description + path)
        request.method = method
        request.headers.add(name: field.name, value: field.value)
        let response = try await http.execute(request, timeout: .seconds(5))
        let body = try await response.body.collect(upTo: Self.largestAnswer)
        switch response.status {
        case .ok: return String(buffer: body)
        case .notFound: return nil
        default:
            throw ObjectError(
                .later, "the service of this machine with its credentials answered \(response.status.code)")
        }
    }

    /// The credentials of a role, as the service writes them.
    private struct Answer: Decodable {
        let code, accessKey, secret, token, expires: String

        enum CodingKeys: String, CodingKey {
            case code = "Code"
            case accessKey = "AccessKeyId"
            case secret = "SecretAccessKey"
            case token = "Token"
            case expires = "Expiration"
        }
    }
}
