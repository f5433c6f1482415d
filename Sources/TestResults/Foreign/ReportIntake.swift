public import Evidence
public import Foundation
public import RunModel

/// Copies reports of another tool into a run directory, from which the store can be rebuilt.
///
/// They are copied before they are read, so that the kept files are the ones that were read.
public struct ReportIntake: Sendable {
    /// The reports in the order they were named.
    public let reports: [ForeignReport]
    private let writer: RunDirectory.Writer
    private let artifacts: [Artifact]
    /// The folders that were made for the copies, the innermost first.
    private let made: [String]

    /// Copies reports.
    ///
    /// - Parameters:
    ///   - files: The reports.
    ///   - folder: A folder on the disk of the run directories.
    public init(copying files: [String], into folder: String) throws(EvidenceError) {
        made = Self.missing(folder)
        writer = try RunDirectory.Writer(creating: "\(folder)/incoming")
        do throws(EvidenceError) {
            var (reports, artifacts): ([ForeignReport], [Artifact]) = ([], [])
            for (number, file) in files.enumerated() {
                let (report, artifact) = try writer.take(file, number: number + 1)
                reports.append(report)
                artifacts.append(artifact)
            }
            (self.reports, self.artifacts) = (reports, artifacts)
        } catch {
            // Half of a report must not fill a full disk.
            Self.remove(writer, made)
            throw error
        }
    }

    /// Refuses reports whose newest file has an impossible modification time, because it is the time of the run.
    ///
    /// - Throws: `EvidenceError.implausibleTime`.
    public static func checkTime(of files: [String], _ moment: Date, now: Date) throws(EvidenceError) {
        guard let reason = RunManifest.timeFault(moment, now: now) else { return }
        throw .implausibleTime(
            file: files.joined(separator: ", "), reason: "last changed \(Timestamp.text(of: moment)), \(reason)")
    }

    /// What the id of their run is made of: it follows from their content and from what was told of them, so that taking the same
    /// reports again is one run.
    public func seed(told: [String]) -> String {
        Digest.sha256(Array((artifacts.map(\.sha256) + told).joined(separator: " ").utf8))
    }

    /// What each report was taken for, and what was found in it: a line for each.
    public func descriptions() throws(EvidenceError) -> [String] {
        var lines: [String] = []
        for report in reports { lines.append("\(report.path) is read as \(try report.format().name)") }
        return lines
    }

    /// Removes the copies, unless they were kept. Errors are ignored, because a remaining folder does no harm.
    public func discard() { Self.remove(writer, made) }

    private static func remove(_ writer: RunDirectory.Writer, _ made: [String]) {
        try? writer.discard()
        // Only what is empty goes.
        for folder in made { rmdir(folder) }
    }

    /// The folders of a path that are not there, the innermost first.
    private static func missing(_ folder: String) -> [String] {
        var missing: [String] = []
        var url = URL(filePath: folder)
        while url.path != "/", access(url.path, F_OK) != 0 {
            missing.append(url.path)
            url.deleteLastPathComponent()
        }
        return missing
    }

    /// Keeps the reports as a run directory. An error leaves them where they were, such as that for a name that is too long.
    ///
    /// - Parameters:
    ///   - run: What `TestRun.ingesting` made of the same reports.
    ///   - seed: What its id was made of.
    ///   - maps: What folders in the reports are called here.
    ///   - notes: What was found out besides the reports.
    public func keep(
        of run: TestRun,
        seed: String,
        packageRoot: String,
        maps: [PathMap] = [],
        notes: [Note] = [],
        kanmonVersion: String,
        arguments: [String],
        givenFiles: [(role: ArtifactRole, file: String, bytes: [UInt8])],
        at path: String
    ) throws(EvidenceError) -> RunDirectory {
        var manifest = RunManifest.foreign(run, packageRoot: packageRoot)
        manifest.kanmonVersion = kanmonVersion
        manifest.seed = seed
        manifest.arguments = arguments
        manifest.artifacts = artifacts
        manifest.pathMaps = maps.isEmpty ? nil : maps
        manifest.notes = notes
        for file in givenFiles {
            manifest.artifacts.append(try writer.write(file.bytes, as: file.role, to: file.file))
        }
        // What could not be read again is not kept.
        if let fault = manifest.fault { throw .tooLarge(file: "what was told of the reports", reason: fault) }
        return try writer.leading(to: path).finish(manifest)
    }
}

extension RunDirectory.Writer {
    /// Copies a report.
    fileprivate func take(_ path: String, number: Int) throws(EvidenceError) -> (ForeignReport, Artifact) {
        // The reader detects formats by content; the given name is kept for messages.
        let file = "reports/\(number)-\(path.pathParts().last ?? "report")"
        let place = try location(of: file)
        var copy = try FileWriter(creating: place)
        var (digest, count) = (Digest(), 0)
        try FileBytes.pieces(of: path, limit: RunDirectory.fileLimit) { piece throws(EvidenceError) in
            digest.update(piece)
            count += piece.count
            try copy.append(piece)
        }
        try copy.finish()
        let report = ForeignReport(path: path, copy: place)
        return (report, Artifact(role: try report.format().role, path: file, bytes: count, sha256: digest.text))
    }
}
