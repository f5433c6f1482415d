public import Gate
import RunModel

extension Culprit {
    /// `commit 1a2b3c4d5e6f by Ana broke it (99.9 %)`; `nil` where no commit can be named. May hold untrusted text.
    public var words: String? {
        guard reason == nil, let last = suspects.last else { return nil }
        let merged = merge.map { ", which \($0.prefix(12)) merged," } ?? ""
        let name = last.commit.prefix(12)
        if let commit { return "commit \(name) by \(commit.author)\(merged) broke it (\(percentage))" }
        let others = suspects.dropLast().map { String($0.commit.prefix(12)) }.joined(separator: ", ")
        return "\(others) or \(name)\(merged) broke it (\(percentage)), of which only the last can be tested"
    }
}

extension CulpritSearch.Reason {
    /// Why no commit can be named, as a sentence.
    public var sentence: String {
        switch self {
        case .failsAtGoodEnd:
            "The test fails at the good end now: something else than the commits has changed, such as the machine, "
                + "the clock or a service, or it is flaky."
        case .passesAtBadEnd:
            "The test passes at the bad end now: it failed for another reason than a commit, or it is flaky."
        case .goodEndNotTested: "The test cannot be run at the good end."
        case .badEndNotTested: "The test cannot be run at the bad end."
        case .severalLeft: "Several commits are left that the runs cannot tell apart."
        case .cutShort: "The search was ended before a commit was certain."
        }
    }
}
