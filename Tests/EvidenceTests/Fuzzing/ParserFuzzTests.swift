import Foundation
import RunModel
import TestSupport
import Testing

@testable import CodeCoverage
@testable import Evidence
@testable import TestResults

/// Readers beside others that read the same, over damaged input; that of reports is in `XMLPushParserTests`.
@Suite struct ParserFuzzTests {
    // MARK: Coverage

    @Test func `however an export is damaged, what is read is what a decoder reads`() throws {
        let recorded = try CoverageFixture.bytes("underflow.json")
        let rounds = Fuzzing.rounds(FuzzNumbers.jsonPieces) { random in
            let sound = random.below(5) == 0 ? recorded : random.export()
            let bytes = random.damaged(sound)
            let files = Result { () throws(CoverageExportError) in
                try CoverageExport.read(bytes, keepingFunctions: false).files
            }
            guard case .success(let files) = files else { return bytes == sound ? .different(bytes) : .refused }
            let whole = try? CoverageFixture.read(bytes)
            if bytes == sound, whole?.files != files { return .different(bytes) }
            if let whole, whole.files != files { return .different(bytes) }
            // The plain fold walks over every line.
            guard files.allSatisfy({ ($0.lines.last?.line ?? 0) < 20_000 }) else { return .refused }
            guard let twin = try? JSONDecoder().decode(DecodedExport.self, from: Data(bytes)) else {
                // A decoder has no number for more than 2^64-1, and no text with half a surrogate.
                let isStrange = Self.hasLongNumber(bytes) || String(decoding: bytes, as: UTF8.self).contains("\\u")
                return isStrange ? .refused : .different(bytes)
            }
            let figures = files.map {
                DecodedExport.Figures(path: $0.path, lines: $0.lines, regions: $0.regions, functions: $0.functions)
            }
            return figures == twin.figures ? .same : .different(bytes)
        }
        #expect(rounds.accepted > rounds.all / 10, "\(rounds)")
    }

    private static func hasLongNumber(_ bytes: [UInt8]) -> Bool {
        bytes.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.contains { $0.count > 18 }
    }

    // MARK: Events

    @Test func `however an event stream is damaged, a record is read as Foundation reads it`() throws {
        let names = ["fail-swifttesting-clean", "fail-swifttesting-v0", "direct-st-good", "crash-st-CrashSuite"]
        let lines: [[UInt8]] = try names.flatMap { name in
            try Fixture.recorded("\(name)/events.jsonl").split(separator: 0x0A).map { Array($0) }
        }
        let rounds = try Fuzzing.rounds(FuzzNumbers.jsonPieces + ["\"kind\":\"test\",", "\"payload\"", "testID"]) {
            random in
            var sound: [UInt8] = []
            for _ in 0...random.below(3) { sound += random.pick(lines) + [0x0A] }
            let bytes = random.damaged(sound)
            let stream = Result { () throws(EvidenceError) in try EventStream.read(bytes, file: "events") }
            guard case .success(let stream) = stream, !stream.isTruncated else {
                return bytes == sound ? .different(bytes) : .refused
            }
            for line in bytes.split(separator: 0x0A) where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D })
            {
                let record = try Array(line).withJSONCursor { cursor throws(JSONFault) in try EventRecord(&cursor) }
                guard let twin = Self.decoded(line) else {
                    // Half a surrogate is U+FFFD here, and some numbers are beyond what Foundation has.
                    if Self.isStrange(line) { continue }
                    return .different(line + Array("\nis refused".utf8))
                }
                let read = [record.payloadKind, record.id, record.testID ?? "", record.displayName ?? ""]
                if twin != read, !Self.isStrange(line) { return .different(bytes + Array("\n\(twin)\n\(read)".utf8)) }
            }
            return .same
        }
        #expect(rounds.accepted > rounds.all / 10, "\(rounds)")
    }

    /// What Foundation reads of a record: kind, id, test and name of its payload; `nil` for what it refuses.
    private static func decoded(_ line: ArraySlice<UInt8>) -> [String]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { return nil }
        let payload = object["payload"] as? [String: Any] ?? [:]
        return ["kind", "id", "testID", "displayName"].map { payload[$0] as? String ?? "" }
    }

    private static func isStrange(_ line: ArraySlice<UInt8>) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        return text.contains("\\u") || text.contains(/[0-9]{17}/) || text.contains(/[0-9][eE]/)
    }

    // MARK: Transcripts

    @Test func `however a transcript is damaged, it is read, and searched as by hand`() throws {
        let folder = Bundle.module.bundleURL.appending(path: "Fixtures/Recorded")
        let logs = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix("stdout.txt") }
            .map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
            .filter { !$0.isEmpty && $0.count < 20_000 }
        try #require(logs.count > 5)
        let rounds = Fuzzing.rounds([
            "Test Case 'A.b' started at 2026-01-02 03:04:05.678\n", "Test Case 'A.b' passed (0.1 seconds)\n", "' ",
            "\n",
            "Test Case '", " A.b : Test skipped - r", ": error: A.b : text\n", "Fatal error: x\n", "\u{1B}[31m",
            "◇ Test run started.",
            "Test Suite 'All tests' passed at ", "error: Exited with unexpected signal code 4\n", "Thread 0 crashed:\n",
            "at /a/b.swift:1:2",
        ]) { random in
            let bytes = random.damaged(random.pick(logs))
            let wanted = random.pick(["Test Case '", "' ", ": ", "\n", "error"] as [StaticString])
            let text = UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount)
            let found = bytes.withUnsafeBufferPointer { LineBytes($0).find(wanted) }
            let last = bytes.withUnsafeBufferPointer { LineBytes($0).findLast(wanted) }
            let places = bytes.indices.filter { bytes[$0...].starts(with: text) }
            guard found == places.first, last == places.last else { return .different(bytes) }
            // Line by line, as anybody would cut it, and with every name that it holds known.
            let transcript = Transcript.read(bytes, known: nil)
            var builder = TranscriptBuilder(known: nil)
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
            for (number, line) in lines.enumerated() where number < lines.count - 1 || !line.isEmpty {
                line.withUnsafeBufferPointer { builder.add(LineBytes($0), hasNewline: number < lines.count - 1) }
            }
            let known = Set(transcript.executions.map { Name($0.name) })
            return builder.finish() == transcript && Transcript.read(bytes, known: known) == transcript
                ? .same : .different(bytes)
        }
        #expect(rounds.accepted == rounds.all, "\(rounds)")
    }
}
