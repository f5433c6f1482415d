import AsyncHTTPClient
import Evidence
import NIOCore
import NIOHTTP1
import RunModel

extension DeliveryClient {
    /// How many files are sent at a time.
    private static let mostAtOnce = 4

    /// Sends files, a few at a time. After the first error no other file is begun.
    func send(
        _ files: [Delivery.File], of directory: RunDirectory, from source: DifferenceSource?,
        until deadline: ContinuousClock.Instant, _ delivered: inout DeliveredRun,
        _ progress: @Sendable (Int, Int) -> Void
    ) async throws(DeliveryError) {
        let all = files.reduce(0) { $0 + $1.size }
        let (sent, failure) = await withTaskGroup(of: SentFile.self) { group in
            var waiting = files[...]
            func begin() {
                guard let file = waiting.popFirst() else { return }
                group.addTask { await self.sent(file, of: directory, from: source, until: deadline) }
            }
            for _ in 0..<Self.mostAtOnce { begin() }
            var (done, sent, failure): (Int, Int, DeliveryError?) = (0, 0, nil)
            while let file = await group.next() {
                if let error = file.error {
                    // Those that are cancelled now say nothing new.
                    if failure == nil { failure = error }
                    group.cancelAll()
                } else {
                    sent += file.bytes
                    done += file.size
                    progress(done, all)
                    if failure == nil { begin() }
                }
            }
            return (sent, failure)
        }
        delivered.sentBytes += sent
        if let failure { throw failure }
        delivered.sentFiles += files.count
    }

    /// What became of a file.
    private struct SentFile: Sendable {
        /// The size of the file.
        var size: Int
        /// How many bytes it was sent in.
        var bytes = 0
        /// Why it was not sent.
        var error: DeliveryError?
    }

    private func sent(
        _ file: Delivery.File, of directory: RunDirectory, from source: DifferenceSource?,
        until deadline: ContinuousClock.Instant
    ) async -> SentFile {
        var sent = SentFile(size: file.size)
        do throws(DeliveryError) {
            sent.bytes = try await send(file, of: directory, from: source, until: deadline)
        } catch {
            sent.error = error
        }
        return sent
    }

    /// Sends a file, as a difference where that is less than half of it, and tells in how many bytes.
    private func send(
        _ file: Delivery.File, of directory: RunDirectory, from source: DifferenceSource?,
        until deadline: ContinuousClock.Instant
    ) async throws(DeliveryError) -> Int {
        let type = "application/octet-stream"
        if let (bytes, path) = source?.difference(of: file) {
            do throws(DeliveryError) {
                _ = try await answer(
                    path, .PUT, body: .bytes(ByteBuffer(bytes: bytes)), type: type, until: deadline)
                return bytes.count
            } catch {
                if error.kind == .later { throw error }
                // The server cannot use it, such as after the earlier run was pruned there.
            }
        }
        let opened: OpenRunFile
        do throws(EvidenceError) {
            opened = try directory.open(file.path)
        } catch {
            throw DeliveryError(.unreadable, "\(error)", hint: error.hint)
        }
        guard opened.size == file.size else { throw DeliveryError(.unreadable, "\(file.path): its size has changed") }
        _ = try await answer(
            "/api/v1/blobs/\(file.sha256)", .PUT,
            body: .stream(RunFileBody(file: opened), length: .known(Int64(file.size))), type: type, until: deadline)
        return file.size
    }
}
