import Access
import Evidence
import HTTPTypes
import RunModel
import Storage

extension DashboardResponder {
    /// To how many projects runs of one token may be delivered.
    static let mostProjects = 1_000

    /// Refuses a project more than a token may deliver to. It is told by what the token itself has delivered, so that nothing is learnt
    /// of the projects of others.
    ///
    /// - Parameters:
    ///   - project: By the name that machines say, which may be one that it had before.
    ///   - most: How many projects it may be.
    func checkProjects(
        _ token: AccessToken, _ project: String, most: Int = DashboardResponder.mostProjects
    ) throws {
        let name = try deliveries?.currentName(of: project) ?? project
        let own = try store.projects(ofSender: token.name, with: name)
        guard own.isOneOfThem || own.count < most else {
            throw CallError(
                .forbidden,
                "the token '\(token.name)' has delivered to \(own.count) projects, the limit is \(most)",
                hint: "'kanmon project remove' makes room, where the server runs")
        }
    }

    /// Refuses a run if its token has delivered too much in a day.
    func checkQuota(_ delivery: Delivery, _ token: AccessToken) throws -> DeliveryQuota.Reservation {
        let most = token.scope.attests ? 16 * dailyBytes : dailyBytes
        guard let reservation = quota.reserve(delivery.room, of: token.sha256, most: most, at: now()) else {
            throw CallError(
                .tooManyRequests, "the runs that this token has delivered in a day have \(most >> 30) GiB, the limit",
                hint: "wait, or let the server be started with a larger --daily-quota", retryAfter: 3600)
        }
        return reservation
    }

    /// Refuses a list if what arrives takes too much memory. In memory an entry has some times the bytes that it was sent in.
    func checkMemory(_ length: Int, _ token: AccessToken) throws -> BodyMemory.Share {
        guard let share = lists.take(6 * length, for: token.name) else {
            throw CallError(.serviceUnavailable, "too many large lists arrive", retryAfter: 10)
        }
        return share
    }

    /// Refuses a file if too many of one token wait for their run.
    func checkPending(_ bytes: Int, _ token: AccessToken) throws -> PendingFiles.Arrival {
        guard let arrival = pending.admit(bytes, of: token.sha256, at: now()) else {
            throw CallError(
                .tooManyRequests,
                "files of this token wait for their runs, the limits are \(PendingFiles.mostFiles) files and "
                    + "\(PendingFiles.mostBytes >> 20) MiB",
                hint: "deliver the runs that they are of", retryAfter: 600)
        }
        return arrival
    }
}

extension Delivery {
    /// A file or folder takes this many bytes of a disk at least.
    private static let block = 4096

    /// About how many bytes it takes on a disk: each folder counts once, where files that lie in it follow each other.
    var room: Int {
        var room = 0
        var last = "".utf8
        for file in files {
            let path = file.path.utf8
            let shared = zip(last, path).prefix { $0 == $1 }.count
            let folders = path.dropFirst(shared).count { $0 == UInt8(ascii: "/") }
            room += max(file.size, Self.block) + folders * Self.block
            last = path
        }
        return room
    }
}
