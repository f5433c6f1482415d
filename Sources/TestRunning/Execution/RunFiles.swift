/// The paths of the files of a run in progress.
struct RunFiles: Sendable, Hashable {
    /// The unfinished run directory: evidence.
    var evidence: String
    /// A folder for intermediate files, emptied before every run.
    var work: String
    /// The folder of a pass within the run directory; `nil` for the first.
    var passFolder: String?

    /// The names of the files in the run directory.
    enum Name {
        static let beforeLog = "before.log"
        static let afterLog = "after.log"
        static let buildLog = "build.log"
        static let transcript = "transcript.log"
        static let observerRecords = "observer.jsonl"
        static let eventStream = "events.jsonl"
        static let xunit = "xunit.xml"
        static let swiftTestingXUnit = "xunit-swift-testing.xml"
        static let xctestList = "xctest-list.json"
        static let swiftTestingList = "swift-testing-list.jsonl"
        static let coverageExport = "coverage.json"
        static let functionNames = "function-names.tsv"
        static let testMap = "test-map.jsonl"
    }

    /// The output of the build.
    var buildLog: String { "\(evidence)/\(Name.buildLog)" }
    /// The output of the tests.
    var transcript: String { "\(pass)/\(Name.transcript)" }
    /// The records of the XCTest observer.
    var observerRecords: String { "\(pass)/\(Name.observerRecords)" }
    /// The path that the observer writes to: a link to its records.
    ///
    /// SwiftPM caches manifests by the values of all variables. A path with the run id would differ each time, and
    /// `swift test` would compile the manifest in every run.
    var observerLink: String { "\(work)/\(passFolder.map { "\($0)-" } ?? "")\(Name.observerRecords)" }
    /// Swift Testing's events.
    var eventStream: String { "\(pass)/\(Name.eventStream)" }
    /// The path for `swift test`: XCTest's report has this name, but is written only with `--parallel`.
    var xunit: String { "\(pass)/\(Name.xunit)" }
    /// The name that `swift test` derives from it for Swift Testing.
    var swiftTestingXUnit: String { "\(pass)/\(Name.swiftTestingXUnit)" }
    /// The list of XCTest cases.
    var xctestList: String { "\(evidence)/\(Name.xctestList)" }
    /// The list of Swift Testing tests.
    var swiftTestingList: String { "\(evidence)/\(Name.swiftTestingList)" }
    var coverageExport: String { "\(evidence)/\(Name.coverageExport)" }
    /// The readable names of the functions that were never called.
    var functionNames: String { "\(evidence)/\(Name.functionNames)" }
    /// Which tests execute which code.
    var testMap: String { "\(evidence)/\(Name.testMap)" }
    /// The folder of the records by which that is worked out.
    var testRecords: String { "\(work)/test-records" }
    /// The records of one process of the pass; those of its children begin with the same name.
    func testRecords(of process: String) -> String {
        "\(testRecords)/\(passFolder.map { "\($0)-" } ?? "")\(process)"
    }
    /// The folder of what the processes of the mapping pass leave, and the files of one of them.
    var mapping: String { "\(work)/mapping" }
    func mappingEvents(of process: String) -> String { "\(mapping)/\(process)-events.jsonl" }
    func mappingProfiles(of process: String) -> String { "\(mapping)/\(process)-profiles" }
    /// The folder of what sanitizers report.
    var sanitizerReports: String { "\(work)/sanitizer" }
    /// What one process of the pass and its children report: to this a dot and the number of the process are added.
    func sanitizerReports(of process: String) -> String {
        "\(sanitizerReports)/\(passFolder ?? Self.firstPass)-\(process)"
    }
    /// Their symbols, as a response file.
    var symbolList: String { "\(work)/symbols.rsp" }
    /// The folder of the raw profiles.
    var profiles: String { "\(work)/profiles" }
    /// The folder of what one process of the pass and its children leave, so that it is noticed when that is nothing.
    func profiles(of process: String) -> String { "\(profiles)/\(passFolder.map { "\($0)-" } ?? "")\(process)" }

    /// The folder for the files that the tests of all passes attach.
    var attachments: String { "\(work)/attachments" }
    /// The folder for those of the pass.
    var attachmentsOfPass: String { "\(attachments)/\(passFolder ?? Self.firstPass)" }
    /// What the folder of the first pass is called where those of all passes lie side by side.
    static let firstPass = "pass-1"

    private var pass: String { passFolder.map { "\(evidence)/\($0)" } ?? evidence }
    /// The merged profile; it stays until the next run.
    var mergedProfile: String { "\(work)/merged.profdata" }
    /// The object files of the own targets, as a response file; it stays until the next run.
    var objectList: String { "\(work)/objects.rsp" }
}
