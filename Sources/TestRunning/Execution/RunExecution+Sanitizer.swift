import Foundation
import RunModel

// What AddressSanitizer and ThreadSanitizer find goes into files, one for each process: a transcript may lose its middle, and a
// test may read what a program prints.

extension BuildChoice.Sanitizer {
    /// The variables with its options: those of the user, and where its reports go.
    ///
    /// XCTest itself loses memory, so leaks are looked for only where the user asks for that.
    ///
    /// - Parameter path: The beginning of the path of a report.
    func options(environment: [String: String], reportsTo path: String) -> [String: String] {
        let name: String
        let (usual, fixed): ([String], [String])
        switch self {
        case .none: return [:]
        case .address: (name, usual, fixed) = ("ASAN_OPTIONS", ["detect_leaks=0"], [])
        case .thread: (name, usual, fixed) = ("TSAN_OPTIONS", [], ["exitcode=66"])
        }
        let given = environment[name].map { [$0] } ?? []
        // The last word of several counts.
        let all = usual + given + fixed + ["print_summary=1", "log_path='\(path)'"]
        return [name: all.joined(separator: ":")]
    }
}

/// What a sanitizer wrote in one process.
struct SanitizerReport: Sendable, Hashable {
    /// What it found, once each, in the order of its reports: `ThreadSanitizer: data race Sources/A.swift:6:83 in f()`.
    var findings: [String] = []

    /// - Parameters:
    ///   - text: What it wrote.
    ///   - packageRoot: The folder that is cut from paths.
    init(_ text: String, packageRoot: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        var found = lines.filter { $0.hasPrefix("SUMMARY: ") }.map { String($0.dropFirst("SUMMARY: ".count)) }
        // A process that was ended in the middle of a report leaves its beginning.
        if found.isEmpty, let first = lines.first(where: { !Self.isRemark($0) }) { found = [String(first)] }
        for finding in found {
            let words = finding.replacing("\(packageRoot)/", with: "").prefix(500)
            if !findings.contains(where: { Name($0) == Name(String(words)) }) { findings.append(String(words)) }
        }
    }

    /// Whether a line is none of a report: a rule between two, or what AddressSanitizer says where a stack cannot be cleared.
    private static func isRemark(_ line: Substring) -> Bool {
        line.allSatisfy { $0 == "=" || $0 == " " }
            || ["ASan is ignoring requested", "False positive error reports may follow", "For details see https://"]
                .contains { line.contains($0) }
    }
}

extension RunExecution {
    /// Notes what sanitizers reported in a pass, and adds their reports to its transcript.
    mutating func hearSanitizer(_ files: RunFiles) throws(RunnerError) {
        guard request.options.build.sanitizer != .none else { return }
        let folder = files.sanitizerReports
        let beginning = (files.sanitizerReports(of: "") as NSString).lastPathComponent
        let names = try onFileSystem("list", folder) { try FileManager.default.contentsOfDirectory(atPath: folder) }
        let own = names.filter { $0.hasPrefix(beginning) }.sorted { Name($0) < Name($1) }
        var findings: [String] = []
        var texts = Data()
        for name in own {
            let path = "\(folder)/\(name)"
            let bytes = try onFileSystem("read", path) {
                try FileHandle(forReadingFrom: URL(filePath: path)).read(upToCount: Self.longestReport) ?? Data()
            }
            let report = SanitizerReport(
                String(decoding: bytes, as: UTF8.self), packageRoot: request.package.root)
            for finding in report.findings where !findings.contains(where: { Name($0) == Name(finding) }) {
                findings.append(finding)
            }
            if texts.count < Self.longestReport { texts += bytes }
        }
        guard !findings.isEmpty else { return }
        try onFileSystem("write", files.transcript) {
            let transcript = try FileHandle(forWritingTo: URL(filePath: files.transcript))
            try transcript.seekToEnd()
            try transcript.write(contentsOf: texts)
            try transcript.close()
        }
        let more = findings.count - Self.mostFindings
        for finding in findings.prefix(Self.mostFindings) where !isNoted(finding) {
            notes.append(Note(.sanitizerReport, detail: finding))
        }
        if more > 0 { notes.append(Note(.sanitizerReport, detail: "\(more) more findings in the transcript")) }
    }

    private func isNoted(_ finding: String) -> Bool {
        notes.contains { $0.code == .sanitizerReport && Name($0.detail) == Name(finding) }
    }

    /// How many bytes of the reports of a process, and of those of a pass, are kept.
    private static let longestReport = 1 << 20
    /// How many findings of a pass are named.
    private static let mostFindings = 20
}
