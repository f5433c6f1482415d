import Foundation
import RunModel
import TestSupport
import Testing

@testable import Objects

/// A store that fails, is busy, or says what cannot be.
@Suite struct S3StoreTests {
    private static func key(_ text: String) throws -> ObjectKey { try #require(ObjectKey(text)) }

    private var deadline: ContinuousClock.Instant { .now + .seconds(600) }

    /// What asking for an object comes to when every request is answered alike.
    private func failure(
        _ reply: TestServer.Reply, within time: Duration = .seconds(600)
    ) async throws -> (error: ObjectError?, requests: Int) {
        let bucket = try await FakeBucket()
        bucket.fail { _, _ in reply }
        let error = await #expect(throws: ObjectError.self) {
            try await bucket.with { store in
                try await store.bytes(of: Self.key("one"), limit: 100, until: .now + time)
            }
        }
        let requests = bucket.requests.count
        try await bucket.stop()
        return (error, requests)
    }

    @Test(
        arguments: [
            (403, "AccessDenied", .refused), (403, "SignatureDoesNotMatch", .settings),
            (403, "RequestTimeTooSkewed", .settings), (404, "NoSuchBucket", .settings),
            (301, "PermanentRedirect", .settings), (400, "AuthorizationHeaderMalformed", .settings),
            (501, "NotImplemented", .settings), (400, "Odd", .failed),
            (403, "InvalidObjectState", .failed), (507, "InsufficientStorage", .later), (404, "Odd", .settings),
            (413, "EntityTooLarge", .tooLarge), (401, "Odd", .refused), (307, "TemporaryRedirect", .settings),
        ] as [(Int, String, ObjectError.Kind)])
    func `what another attempt cannot mend is told at once`(
        status: Int, code: String, kind: ObjectError.Kind
    ) async throws {
        let (error, requests) = try await failure(FakeBucket.error(status, code, "because", ["Location": "http://h/"]))
        #expect(error?.kind == kind)
        #expect(error?.reason == "it answered \(status) (\(code)): because")
        #expect(code == "Odd" && status == 400 || error?.hint != nil)
        #expect(requests == 1)
    }

    @Test(arguments: [
        (503, "SlowDown"), (500, "InternalError"), (400, "RequestTimeout"), (429, ""), (502, ""), (504, "Odd"),
        (599, ""),
    ])
    func `what may work in a moment is asked for again`(status: Int, code: String) async throws {
        let bucket = try await FakeBucket()
        bucket.fail { _, number in number <= 2 ? FakeBucket.error(status, code) : nil }
        try await bucket.with { store in
            try await store.put(ObjectContent([1, 2, 3]), at: Self.key("one"), until: deadline)
            #expect(bucket.requests.count == 3)
        }
        #expect(bucket.objects == [Name("one"): [1, 2, 3]])
        try await bucket.stop()
    }

    @Test func `a connection that is cut is made again, and after six times there is an end`() async throws {
        let (error, requests) = try await failure(.cut)
        #expect(error?.kind == .later && requests == RetryPause.mostAttempts)
    }

    @Test func `pauses double, are drawn at random, and are no shorter than the store asks for`() {
        func pauses(_ retry: S3Failure.Retry, share: Double, asked: Duration? = nil) -> [Duration?] {
            (1...6).map { RetryPause.pause(after: $0, retry, asked: asked, share: share) }
        }
        let soon: [Duration?] = [
            .milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600), nil,
        ]
        let slowly: [Duration?] = [
            .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), nil,
        ]
        let seven: [Duration?] = [.seconds(7), .seconds(7), .seconds(7), .seconds(7), .seconds(7), nil]
        #expect(pauses(.soon, share: 1) == soon)
        #expect(pauses(.slowly, share: 0.5) == slowly)
        #expect(pauses(.soon, share: 0, asked: .seconds(7)) == seven)
        #expect(pauses(.never, share: 1, asked: .seconds(7)).allSatisfy { $0 == nil })
    }

    @Test func `a pause that goes beyond the deadline is not begun`() async throws {
        let begin = ContinuousClock.now
        let (error, requests) = try await failure(
            FakeBucket.error(503, "SlowDown", "no", ["Retry-After": "60"]), within: .seconds(59))
        #expect(error?.kind == .later && requests == 1)
        #expect(ContinuousClock.now - begin < .seconds(60))
    }

    @Test func `a store that does not answer is left at the deadline`() async throws {
        let begin = ContinuousClock.now
        let (error, _) = try await failure(.silence, within: .milliseconds(300))
        #expect(error == ObjectError(.later, "it did not answer in time", hint: error?.hint))
        #expect(ContinuousClock.now - begin < .seconds(25))
    }

    @Test func `an object goes on where its connection was cut`() async throws {
        let bucket = try await FakeBucket()
        let bytes = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 / 251 &+ $0) }
        try await bucket.with { store in
            try await store.put(ObjectContent(bytes), at: Self.key("one"), until: deadline)
            bucket.fail { request, number in
                guard number == 2 || number == 3 else { return nil }
                let range = request.fields["range"].map { Int($0.dropFirst(6).dropLast()) ?? 0 } ?? 0
                let fields = range == 0 ? [:] : ["Content-Range": "bytes \(range)-399999/400000"]
                return .begun(
                    range == 0 ? 200 : 206, fields.merging(["ETag": FakeBucket.tag(of: bytes)]) { $1 },
                    Array(bytes[range...]), bytes: 100_000)
            }
            #expect(try await store.bytes(of: Self.key("one"), limit: .max, until: deadline) == bytes)
        }
        let requests = bucket.requests
        #expect(requests.count == 4 && requests.last?.fields["range"] != nil)
        try await bucket.stop()
    }

    @Test func `an object that becomes another one while it is read is refused`() async throws {
        let bucket = try await FakeBucket()
        let (first, second) = ([UInt8](repeating: 1, count: 400_000), [UInt8](repeating: 2, count: 400_000))
        let error = await #expect(throws: ObjectError.self) {
            try await bucket.with { store in
                try await store.put(ObjectContent(second), at: Self.key("one"), until: deadline)
                bucket.fail { _, number in
                    number == 2 ? .begun(200, ["ETag": FakeBucket.tag(of: first)], first, bytes: 300_000) : nil
                }
                _ = try await store.bytes(of: Self.key("one"), limit: .max, until: deadline)
            }
        }
        #expect(error?.kind == .failed)
        try await bucket.stop()
    }

    @Test func `only the store itself says that an object is not there`() async throws {
        let bucket = try await FakeBucket()
        let key = try Self.key("one")
        try await bucket.with { store in
            let size = try await store.head(key, until: deadline)
            #expect(size == nil)
            #expect(bucket.requests.map(\.method) == ["HEAD", "GET"])
            for reply in [
                FakeBucket.error(404, "NoSuchBucket"), .text(404, "<html>not here</html>"), .answer(404),
                .text(404, "<Error><Code>NoSuchKey</Code>"),
            ] {
                bucket.fail { _, _ in reply }
                await #expect(throws: ObjectError.self) { try await store.head(key, until: deadline) }
                await #expect(throws: ObjectError.self) { try await store.bytes(of: key, limit: 1, until: deadline) }
                await #expect(throws: ObjectError.self) { try await store.delete(key, until: deadline) }
            }
        }
        try await bucket.stop()
    }

    @Test func `a list that cannot be is refused`() async throws {
        func one(_ key: String, _ size: String = "<Size>1</Size>") -> String {
            "<Contents><Key>\(key)</Key>\(size)</Contents>"
        }
        let document = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>"
        let answers: [String] = [
            "", "<html>a portal</html>", "<ListBucketResult/>", #"<!DOCTYPE a [<!ENTITY b "c">]>"# + document,
            "<ListBucketResult><IsTruncated>perhaps</IsTruncated></ListBucketResult>", String(document.dropLast()),
            FakeBucket.list("", isTruncated: true), FakeBucket.list(one("a"), isTruncated: true),
            FakeBucket.list(one("c", ""), isTruncated: false),
            FakeBucket.list(one("c", "<Size>-1</Size>"), isTruncated: false),
            FakeBucket.list(one("%zz"), isTruncated: false), FakeBucket.list(one("d") + one("d"), isTruncated: false),
            FakeBucket.list((0...1000).map { one("c\($0 + 1000)") }.joined(), isTruncated: false),
            FakeBucket.list(one(String(repeating: "c", count: 5000)), isTruncated: false),
            String(repeating: " ", count: S3Answer.largest + 1),
        ]
        let bucket = try await FakeBucket()
        for (number, answer) in answers.enumerated() {
            bucket.fail { _, _ in .text(200, answer) }
            let error = await #expect(throws: ObjectError.self, "answer \(number)") {
                try await bucket.with { try await $0.list(in: nil, after: "b", limit: 10, until: deadline) }
            }
            #expect(error?.kind == .failed, "answer \(number)")
        }
        bucket.fail { _, _ in .text(200, document) }
        let page = try await bucket.with { try await $0.list(in: nil, after: "b", limit: 10, until: deadline) }
        #expect(page == ObjectPage(entries: [], next: nil))
        try await bucket.stop()
    }

    @Test func `when an object was put last is what the store says, and unknown where it says nothing of it`()
        async throws
    {
        let bucket = try await FakeBucket()
        let moments: [(String, Date?)] = [
            ("2026-01-01T00:00:00.000Z", FakeBucket.moment), ("2026-01-01T00:00:00Z", FakeBucket.moment),
            ("2026-01-01T00:00:00.123456Z", FakeBucket.moment), ("2026-01-01T00:00:00", nil), ("now", nil), ("", nil),
        ]
        for (text, moment) in moments {
            let entry = "<Contents><Key>a</Key><LastModified>\(text)</LastModified><Size>1</Size></Contents>"
            bucket.fail { _, _ in .text(200, FakeBucket.list(entry, isTruncated: false)) }
            let page = try await bucket.with { try await $0.list(in: nil, after: nil, limit: 2, until: deadline) }
            #expect(page.entries.map(\.modified) == [moment], "\(text)")
        }
        try await bucket.stop()
    }

    @Test func `what others keep in the bucket is passed over, and listed past`() async throws {
        let bucket = try await FakeBucket()
        let first = FakeBucket.list(
            "<Contents><Key>p/</Key><Size>0</Size></Contents>"
                + "<Contents><Key>p/.x/%0A+</Key><Size>1</Size></Contents>", isTruncated: true)
        let second = FakeBucket.list("<Contents><Key>p/z</Key><Size>3</Size></Contents>", isTruncated: false)
        let last = ObjectPage(entries: [.init(key: try Self.key("z"), size: 3)], next: nil)
        bucket.fail { request, _ in .text(200, request.target.contains("start-after") ? second : first) }
        try await bucket.with(prefix: "p") { store in
            let page = try await store.list(in: nil, after: nil, limit: 2, until: deadline)
            #expect(page == ObjectPage(entries: [], next: ".x/\n "))
            #expect(try await store.list(in: nil, after: page.next, limit: 2, until: deadline) == last)
        }
        #expect(bucket.requests.last?.target.contains("start-after=p%2F.x%2F%0A%20") == true)
        try await bucket.stop()
    }

    @Test func `credentials that have ended are read again, once`() async throws {
        let folder = try TemporaryFolder()
        func write(_ key: String) throws -> String {
            let secrets = "aws_secret_access_key=a/secret+of=mine\naws_session_token = token==\n"
            return try folder.write("[default]\naws_access_key_id = \(key)\n\(secrets)", to: "credentials")
        }
        let bucket = try await FakeBucket()
        let source = CredentialSource(environment: [:], file: try write("old"))
        bucket.fail { request, _ in
            let isNew = request.fields["authorization"]?.contains("Credential=key/") == true
            return isNew ? nil : FakeBucket.error(400, "ExpiredToken")
        }
        try await bucket.with(credentials: source) { store in
            let error = await #expect(throws: ObjectError.self) {
                try await store.head(Self.key("one"), until: deadline)
            }
            // The answer to HEAD names no code.
            #expect(error?.kind == .settings && bucket.requests.map(\.method) == ["HEAD", "GET", "GET"])
            await #expect(throws: ObjectError.self) {
                try await store.put(ObjectContent([1]), at: Self.key("one"), until: deadline)
            }
            #expect(bucket.requests.count == 5)
            _ = try write("key")
            try await store.put(ObjectContent([1]), at: Self.key("one"), until: deadline)
            #expect(bucket.requests.count == 7)
        }
        try await bucket.stop()
    }

    @Test func `no secret is told, and of the words of a store no more than a sentence`() async throws {
        let words = "a/secret+of=mine token== \u{202E}" + String(repeating: "x", count: 1000)
        let (error, _) = try await failure(FakeBucket.error(403, "AccessDenied", words))
        let reason = try #require(error?.reason)
        #expect(reason.hasPrefix("it answered 403 (AccessDenied): *** *** \\u{202e}"))
        #expect(reason.count < 300)
        let credentials = try #require(ObjectCredentials(accessKey: "key", secret: "hidden", sessionToken: "also"))
        let shown = "\(credentials) \(String(reflecting: [credentials]))"
        #expect(!shown.contains("hidden") && !shown.contains("also"))
    }

    @Test func `a wrong region is told with the right one`() async throws {
        let (error, _) = try await failure(
            FakeBucket.error(301, "PermanentRedirect", "elsewhere", ["x-amz-bucket-region": "eu-west-3"]))
        #expect(error?.hint == "the bucket is in the region eu-west-3; look at the endpoint and the region")
    }

    @Test func `a request that is interrupted ends`() async throws {
        let bucket = try await FakeBucket()
        let isAsked = AsyncStream<Void>.makeStream()
        bucket.fail { _, _ in
            isAsked.continuation.yield()
            return .silence
        }
        let task = Task {
            try await bucket.with { try await $0.head(Self.key("one"), until: .now + .seconds(120)) }
        }
        for await _ in isAsked.stream { break }
        task.cancel()
        await #expect(throws: ObjectError.self) { try await task.value }
        try await bucket.stop()
    }
}
