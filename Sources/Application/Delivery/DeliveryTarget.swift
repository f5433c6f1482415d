package import Access
package import Delivery
import Foundation
import Gate

/// Where runs are delivered: a flag, else `KANMON_SERVER`, else the login of the user; never the package that is judged.
package struct DeliveryTarget: Sendable {
    package let address: ServerAddress
    package let token: String
    /// Whether runs of working copies are delivered too.
    let deliversWorkingCopies: Bool
    /// The key that the server signs verdicts with: that of `KANMON_SERVER_KEY`, else that of the login; `nil` if it is not
    /// known.
    package let key: VerifyingKey?
    /// Whether verdicts of the server are reused instead of running the tests.
    package let reusesVerdicts: Bool

    /// The target; `nil` if nobody named a server.
    ///
    /// The token is that of `KANMON_TOKEN`, else that of the login, which is sent to no other address than its own.
    ///
    /// - Parameter server: The address of a flag.
    /// - Throws: `Problem` if a server is named that nothing can be sent to.
    package static func find(server: String?, _ process: ProcessContext) throws(Problem) -> DeliveryTarget? {
        func variable(_ name: String) -> String? {
            process.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let login = try ServerLoginFile(process).read()
        guard let text = server ?? variable("KANMON_SERVER") ?? login?.address else { return nil }
        let address = try Self.address(text)
        var own = login
        if let known = login?.address, try Self.address(known) != address { own = nil }
        let allowsPlain = own?.allowsPlainHTTP == true || variable("KANMON_ALLOW_HTTP") == "1"
        try address.refusePlainHTTP(allowed: allowsPlain)
        guard let token = variable("KANMON_TOKEN") ?? own?.token else {
            throw Problem(
                .badConfiguration, "there is no token for \(address)", hint: "kanmon login \(address), or KANMON_TOKEN")
        }
        return DeliveryTarget(
            address: address, token: token, deliversWorkingCopies: own?.deliversWorkingCopies == true,
            key: try key(variable("KANMON_SERVER_KEY"), own),
            reusesVerdicts: own?.ignoresServerVerdicts != true && variable("KANMON_VERDICTS") != "off")
    }

    private static func key(_ variable: String?, _ login: ServerLogin?) throws(Problem) -> VerifyingKey? {
        guard let variable else { return login?.key.flatMap { VerifyingKey($0) } }
        guard let key = VerifyingKey(variable) else {
            throw Problem(
                .badConfiguration, "KANMON_SERVER_KEY is no key of a server",
                hint: "kanmon doctor on a machine that is logged in shows it")
        }
        return key
    }

    /// Reads an address.
    static func address(_ text: String) throws(Problem) -> ServerAddress {
        do throws(ServerAddressError) {
            return try ServerAddress(text)
        } catch {
            throw Problem(
                .badConfiguration, "the server's address '\(text)' cannot be used: \(error)",
                hint: ServerAddress.hint)
        }
    }
}

extension ServerAddress {
    /// How an address is written.
    package static let hint = "write it as https://kanmon.example.com or http://127.0.0.1:8720"

    /// Refuses to send a token over a network without encryption, unless somebody allowed it.
    package func refusePlainHTTP(allowed: Bool) throws(Problem) {
        guard !isEncrypted, !isLoopback, !allowed else { return }
        throw Problem(
            .badConfiguration, "\(self) is not encrypted: everybody on the way could read the token and the runs",
            hint: "use https, or allow it with kanmon login \(self) --allow-http, or with KANMON_ALLOW_HTTP=1")
    }
}

extension Problem {
    /// The problem of a delivery.
    package init(_ error: DeliveryError, at address: ServerAddress) {
        let status: ExitStatus = error.kind == .settings ? .badConfiguration : .ioError
        self.init(status, "\(address): \(error.reason)", hint: error.hint)
    }
}
