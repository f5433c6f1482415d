import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension S3Store {
    /// The most that is read of an answer that only says what became of a request, in bytes.
    private static let longestWords = 64 << 10

    /// Sends a request until it succeeds, fails for good, or there is no time for another attempt.
    ///
    /// - Parameters:
    ///   - request: Makes the request, for each attempt.
    ///   - read: Reads the answer, within the time; what it throws is a failure of the attempt.
    func call(
        until deadline: ContinuousClock.Instant, _ request: () -> S3Request,
        read: (HTTPClientResponse) async throws -> Void
    ) async throws(S3Failure) {
        var (attempts, isSignedAnew) = (0, false)
        while true {
            let signing = try await currentCredentials()
            let failure: S3Failure
            do throws(S3Failure) {
                try await attempt(request(), signing, until: deadline, read)
                return
            } catch {
                failure = error
            }
            if failure.retry == .signedAnew, !isSignedAnew {
                isSignedAnew = true
                credentials.forget(signing)
                continue
            }
            attempts += 1
            let share = Double.random(in: 0...1)
            guard let pause = RetryPause.pause(after: attempts, failure.retry, asked: failure.wait, share: share),
                ContinuousClock.now + pause < deadline
            else { throw failure }
            do { try await Task.sleep(for: pause) } catch { throw failure }
        }
    }

    private func currentCredentials() async throws(S3Failure) -> ObjectCredentials {
        do throws(ObjectError) {
            return try await credentials.credentials(at: now())
        } catch {
            throw S3Failure(error)
        }
    }

    private func attempt(
        _ request: S3Request, _ signing: ObjectCredentials, until deadline: ContinuousClock.Instant,
        _ read: (HTTPClientResponse) async throws -> Void
    ) async throws(S3Failure) {
        do {
            try Self.check(deadline)
            let left = TimeAmount(ContinuousClock.now.duration(to: deadline))
            let signed = request.signed(signing, settings, at: now())
            let response = try await http.execute(signed, deadline: .now() + left)
            guard (200..<300).contains(response.status.code) else {
                // The status says enough where the words cannot be read.
                let words = try? await Self.bytes(of: response, most: Self.longestWords, until: deadline)
                throw S3Failure(status: response.status, fields: response.headers, words: words ?? []) {
                    signing.removed(from: $0)
                }
            }
            try await read(response)
        } catch {
            throw S3Failure(error)
        }
    }

    /// Reads the rest of an answer, so that its connection serves the next request.
    static func drain(_ response: HTTPClientResponse, until deadline: ContinuousClock.Instant) async throws {
        _ = try await bytes(of: response, most: longestWords, until: deadline)
    }

    /// The body of an answer.
    static func bytes(
        of response: HTTPClientResponse, most: Int, until deadline: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in response.body {
            try check(deadline)
            guard bytes.count + piece.readableBytes <= most else {
                throw ObjectError(.failed, "its answer is too large")
            }
            bytes += piece.readableBytesView
        }
        return bytes
    }

    /// Ends what has taken too long. Between two pieces there is no more time than nothing may come at all.
    static func check(_ deadline: ContinuousClock.Instant) throws(ObjectError) {
        guard ContinuousClock.now < deadline else { throw ObjectError(.later, "it did not answer in time") }
    }
}
