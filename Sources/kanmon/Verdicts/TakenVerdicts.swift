import Evidence
import Foundation
import Gate
import RunModel

/// One use of a server's verdict instead of a run of the tests.
struct TakenVerdict: Sendable, Codable {
    /// When it was used.
    let takenAt: Date
    /// The address of the server.
    let server: String
    let project: String
    let tree: String
    let commit: String?
    let branch: String?
    /// The run that answered.
    let run: RunID
    let decision: String
    /// The name of the token that the run was delivered with; `nil` for a run made on the server itself.
    let token: String?
    /// What the server signed, so that anybody can check it later.
    let signed: SignedStatement

    init(_ verdict: ServerVerdict, _ signed: SignedStatement, of revision: Revision, at moment: Date) {
        takenAt = Date(timeIntervalSince1970: moment.timeIntervalSince1970.rounded(.down))
        server = verdict.server
        project = verdict.statement.project
        tree = verdict.statement.tree
        commit = revision.commit
        branch = revision.branch
        run = verdict.statement.run
        decision = verdict.statement.decision
        token = verdict.statement.token
        self.signed = signed
    }
}

/// The verdicts of servers that were used here, in a file of the home with a line for each. They are no runs, so that nothing
/// is counted twice, and no use answers for another.
struct TakenVerdicts: Sendable {
    /// How many are kept; beyond that the oldest are forgotten.
    static let most = 1000
    /// The largest file that is read, in bytes.
    private static let largest = 16 << 20

    private let home: Home
    private var path: String { home.takenVerdicts }

    init(_ home: Home) { self.home = home }

    /// Records a use; on disk when it returns.
    ///
    /// - Throws: `Problem` if it cannot be recorded.
    func add(_ verdict: TakenVerdict) throws(Problem) {
        home.prepare()
        let lock = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw failure() }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure() }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            let line = Array(try encoder.encode(verdict))
            let lines = try self.lines().suffix(Self.most - 1) + [line]
            try SmallFile.replace(path, with: lines.flatMap { $0 + [UInt8(ascii: "\n")] })
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error)")
        }
    }

    /// All uses, the newest first; lines that cannot be read are left out.
    ///
    /// - Throws: `Problem` if the file cannot be read.
    func all() throws(Problem) -> [TakenVerdict] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try lines().compactMap { try? decoder.decode(TakenVerdict.self, from: Data($0)) }.reversed()
    }

    private func lines() throws(Problem) -> [[UInt8]] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let data = try file.read(upToCount: Self.largest) ?? Data()
            return Array(data).split(separator: UInt8(ascii: "\n")).map { Array($0) }
        } catch {
            throw Problem(.ioError, "failed to read \(path): \(error.fileSystemReason)")
        }
    }

    private func failure() -> Problem {
        Problem(.ioError, "failed to use \(path): \(String(cString: strerror(errno)))")
    }
}
