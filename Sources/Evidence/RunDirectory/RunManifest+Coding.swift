import Foundation
import RunModel

extension RunManifest {
    /// The text of `manifest.json`: keys in order, one value a line, dates with milliseconds, durations in nanoseconds.
    package func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(of: date))
        }
        var bytes = [UInt8](try encoder.encode(self))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// A sentence as it is kept.
    private static func kept(_ text: String) -> String { HeadAndTail.cut(Redaction.clean(text)) }

    /// The manifest as it is read back: a file keeps no credentials, milliseconds of a date, and of a long text its beginning and
    /// its end.
    var asWritten: RunManifest {
        var manifest = self
        manifest.arguments = Redaction.clean(words: self.arguments)
        for index in self.steps.indices {
            manifest.steps[index].arguments = Redaction.clean(words: self.steps[index].arguments)
        }
        manifest.revision?.subject = self.revision?.subject.map(Self.kept)
        manifest.revision?.author = self.revision?.author.map(Self.kept)
        manifest.origin?.build?.url = self.origin?.build?.url.map { Redaction.clean($0) }
        if let url = self.origin?.repository?.url { manifest.origin?.repository?.url = Redaction.clean(url) }
        for index in self.gaps.indices {
            manifest.gaps[index].subject = Self.kept(self.gaps[index].subject)
            manifest.gaps[index].detail = Self.kept(self.gaps[index].detail)
        }
        for index in self.notes.indices {
            manifest.notes[index].subject = Self.kept(self.notes[index].subject)
            manifest.notes[index].detail = Self.kept(self.notes[index].detail)
        }
        manifest.startedAt = Timestamp.date(of: Timestamp.text(of: self.startedAt)) ?? self.startedAt
        return manifest
    }

    /// Reads the text of `manifest.json`; every failure says the line where that is known.
    package static func decoded(_ bytes: [UInt8], path: String) throws(EvidenceError) -> RunManifest {
        try ValueLimit.manifest.check(bytes, file: path)
        // The strict reader first: it knows the place of a fault, and refuses what Foundation lets pass.
        var version: Int?
        do throws(JSONFault) {
            try bytes.withJSONCursor { cursor throws(JSONFault) in
                try cursor.object { cursor, key throws(JSONFault) in
                    if key == "schemaVersion" { version = try cursor.integer() } else { try cursor.skip() }
                }
                try cursor.end()
            }
        } catch {
            let place = TextPosition(of: error.offset, in: bytes)
            throw .malformedManifest(path: path, line: place.line, reason: error.reason)
        }
        guard let version else { throw .malformedManifest(path: path, line: nil, reason: "schemaVersion is missing") }
        guard version <= currentSchemaVersion else {
            throw .newerManifest(path: path, version: version, supported: currentSchemaVersion)
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Timestamp.date(of: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a date")
            }
            return date
        }
        let manifest: RunManifest
        do {
            manifest = try decoder.decode(RunManifest.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw .malformedManifest(path: path, line: nil, reason: error.fragment)
        } catch {
            throw .malformedManifest(path: path, line: nil, reason: "\(error)")
        }
        try manifest.checkLimits(path: path)
        // Who wrote it may have taken less care.
        return manifest.asWritten
    }
}

extension DecodingError {
    /// What is wrong and at which key.
    fileprivate var fragment: String {
        func path(_ context: Context) -> String {
            let keys = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return keys.isEmpty ? "the manifest" : keys.joined(separator: ".")
        }
        switch self {
        case .keyNotFound(let key, let context): return "\(path(context)): '\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return "\(path(context)): \(context.debugDescription)"
        @unknown default: return "\(self)"
        }
    }
}
