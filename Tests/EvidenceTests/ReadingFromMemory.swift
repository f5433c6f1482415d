import RunModel

@testable import CodeCoverage
@testable import Evidence
@testable import TestResults

// Tests have the bytes of a file in memory, and no budget for them.

extension BuildLog {
    static func diagnostics(in bytes: [UInt8], packageRoot: String) -> [BuildDiagnostic] {
        bytes.lent { diagnostics(in: $0, packageRoot: packageRoot) }
    }
}

extension FunctionNames {
    init(_ bytes: [UInt8]) { self = bytes.lent { FunctionNames($0, EvidenceBudget(.max)) } }
}

extension ObserverRecords {
    static func read(_ bytes: [UInt8], file: String) throws(EvidenceError) -> ObserverRecords {
        try bytes.lent { document throws(EvidenceError) in
            try read(document, file: file, budget: EvidenceBudget())
        }
    }
}

extension TestMap {
    init(lines bytes: [UInt8], file: String) throws(EvidenceError) {
        self = try bytes.lent { document throws(EvidenceError) in
            try TestMap(document, file: file, budget: EvidenceBudget())
        }
    }
}

extension Transcript {
    static func read(_ bytes: [UInt8], known: Set<Name>?) -> Transcript {
        bytes.lent { read($0, known: known, budget: EvidenceBudget()) }
    }
}

extension XUnitReport {
    static func read(_ bytes: [UInt8], file: String, origin: Origin) throws(EvidenceError) -> XUnitReport {
        try bytes.lent { document throws(EvidenceError) in
            try read(document, file: file, origin: origin, budget: EvidenceBudget())
        }
    }
}
