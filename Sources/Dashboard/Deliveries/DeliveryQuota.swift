import Foundation
import Synchronization

/// How many bytes the runs take that each token has delivered in the last day, counted from the start of the server on.
///
/// A file counts with each run that has it: it is on the disk once, but its results are in the store once for each run.
final class DeliveryQuota: Sendable {
    /// The bytes of a run that is being taken in. They are given back when the object goes, unless the run was stored.
    final class Reservation: Sendable {
        private let quota: DeliveryQuota
        private let token: String
        private let bytes: Int

        fileprivate init(_ quota: DeliveryQuota, _ token: String, _ bytes: Int) {
            (self.quota, self.token, self.bytes) = (quota, token, bytes)
        }

        /// Counts the bytes for a day: the run was stored.
        func keep(at moment: Date) {
            quota.change(token) { $0.byHour[DeliveryQuota.hour(of: moment), default: 0] += bytes }
        }

        deinit { quota.change(token) { $0.reserved -= bytes } }
    }

    private struct Bytes {
        var byHour: [Int: Int] = [:]
        var reserved = 0
    }

    private let byToken = Mutex<[String: Bytes]>([:])

    private static func hour(of moment: Date) -> Int { Int(moment.timeIntervalSince1970 / 3600) }

    private func change<Value>(_ token: String, _ body: (inout Bytes) -> Value) -> Value {
        byToken.withLock { byToken in
            var bytes = byToken[token] ?? Bytes()
            defer { byToken[token] = bytes.reserved == 0 && bytes.byHour.isEmpty ? nil : bytes }
            return body(&bytes)
        }
    }

    /// Reserves the bytes of a run; `nil` where the token has delivered too much.
    ///
    /// - Parameter most: How many bytes it may deliver in a day. A run that is larger is delivered if it is the only one.
    func reserve(_ bytes: Int, of token: String, most: Int, at moment: Date) -> Reservation? {
        let hour = Self.hour(of: moment)
        let hasRoom = change(token) { own in
            // The hour a day ago may have begun less than a day ago. A clock that is set back leaves hours to come.
            own.byHour = own.byHour.filter { ($0.key - hour).magnitude <= 24 }
            let delivered = own.byHour.values.reduce(own.reserved, +)
            guard delivered == 0 || delivered + bytes <= most else { return false }
            own.reserved += bytes
            return true
        }
        return hasRoom ? Reservation(self, token, bytes) : nil
    }
}
