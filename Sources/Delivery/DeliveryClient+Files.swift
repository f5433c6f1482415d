import AsyncHTTPClient
import Evidence
import NIOCore
import NIOHTTP1
import RunModel

extension DeliveryClient {
    /// How many files are sent at a time.
    private static let mostAtOnce = 4

    /// Sends files, a few at a time, or one after the other over a single connection: a request that waits for that would be given up.
    /// After the first error no other file is begun.
    func send(
        _ files: [Delivery.File], of directory: RunDirectory, single isSingle: Bool,
        until deadline: ContinuousClock.Instant, _ delivered: inout DeliveredRun,
        _ progress: @Sendable (Int, Int) -> Void
    ) async throws(DeliveryError) {
        let all = files.reduce(0) { $0 + $1.size }
        let (sent, failure) = await withTaskGroup(of: SentFile.self) { group in
            var waiting = files[...]
            func begin() {
                guard let file = waiting.popFirst() else { return }
                group.addTask { await self.sent(file, of: directory, single: isSingle, until: deadline) }
            }
            for _ in 0..<(isSingle ? 1 : Self.mostAtOnce) { begin() }
            var (sent, failure): (Int, DeliveryError?) = (0, nil)
            while let file = await group.next() {
                if let error = file.error {
                    // The errors of the files that are cancelled now add nothing to the first one.
                    if failure == nil { failure = error }
                    group.cancelAll()
                } else {
                    sent += file.size
                    progress(sent, all)
                    if failure == nil { begin() }
                }
            }
            return (sent, failure)
        }
        delivered.sentBytes += sent
        if let failure { throw failure }
        delivered.sentFiles += files.count
    }

    /// The result of sending a file.
    private struct SentFile: Sendable {
        /// The size of the file.
        var size: Int
        /// Why it was not sent.
        var error: DeliveryError?
    }

    private func sent(
        _ file: Delivery.File, of directory: RunDirectory, single isSingle: Bool,
        until deadline: ContinuousClock.Instant
    ) async -> SentFile {
        do throws(DeliveryError) {
            try await send(file, of: directory, single: isSingle, until: deadline)
            return SentFile(size: file.size)
        } catch {
            return SentFile(size: file.size, error: error)
        }
    }

    private func send(
        _ file: Delivery.File, of directory: RunDirectory, single isSingle: Bool,
        until deadline: ContinuousClock.Instant
    ) async throws(DeliveryError) {
        let opened: OpenRunFile
        do throws(EvidenceError) {
            opened = try directory.open(file.path)
        } catch {
            throw DeliveryError(.unreadable, "\(error)", hint: error.hint)
        }
        guard opened.size == file.size else { throw DeliveryError(.unreadable, "\(file.path): its size has changed") }
        _ = try await answer(
            DeliveryRoute.blob(file.sha256).path, .PUT,
            body: .stream(RunFileBody(file: opened), length: .known(Int64(file.size))),
            type: "application/octet-stream", single: isSingle, until: deadline)
    }
}
