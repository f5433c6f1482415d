import Foundation
import Gate
import RunModel

/// Where the commits of a random history are, and who says what they are compared with.
protocol HistoryGround {
    /// The full name of a commit.
    func name(_ commit: Int) -> String
    /// The full name of its tree: equal files and settings have the same.
    func tree(_ commit: Int) -> String
    /// The name of the project of a package.
    func project(_ package: Int) -> String
    /// What a commit is compared with while `main` points at another one.
    func comparison(of commit: Int, main: Int, _ package: Int) async throws -> HistoryComparison
    /// What the program's audit says of a commit; `nil` where there is no repository that it could ask.
    func audit(of commit: Int, main: Int, _ package: Int) async throws -> HistoryAudit?
    /// What the program says of a commit without running tests, and stores.
    func answer(
        on commit: Int, main: Int, _ package: Int, as revision: Revision, like inputs: RunInputs, at moment: Date
    ) async throws -> HistoryAnswer
}

/// What the program says of a commit whose tests it does not run.
enum HistoryAnswer {
    /// A run answers.
    case known(RunID, Verdict)
    /// The tests have to be run.
    case unknown
    /// There is no repository that it could ask.
    case nobody
}

/// What a commit is judged by.
struct HistoryComparison {
    /// The full names of its bases.
    let bases: [String]
    let policy: Policy
    let baseline: Baseline?
}

/// What an audit says of a commit.
struct HistoryAudit: Equatable {
    let run: String?
    let decision: String?
    var fault: String?
}
