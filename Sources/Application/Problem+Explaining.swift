import Access
import Dashboard
import Evidence
import Foundation
import Gate
import Objects
import Repository
import SettingsFile
import Storage
import TestRunning

extension Problem {
    /// The message and status for an error of any room; `nil` for errors of the argument parser.
    package init?(explaining error: any Error) {
        switch error {
        case let problem as Problem:
            self = problem
        case let error as SettingsError:
            self.init(.badConfiguration, "\(error)", hint: error.hint)
        case let error as PolicyError:
            self.init(.badConfiguration, "\(error)", hint: error.hint)
        case let error as EvidenceError:
            self.init(
                error.isBadInput ? .badInput : .ioError,
                "failed to \(error.isBadInput ? "read evidence: " : "")\(error)", hint: error.hint)
        case RunnerError.refused(let refusal):
            self.init(.badConfiguration, refusal.reason, hint: refusal.hint)
        case let error as RunnerError:
            self.init(error.status, "failed to run the tests: \(error)", hint: error.hint)
        case let error as StorageError:
            self.init(error.status, "failed to \(error)", hint: error.hint)
        case GitError.ambiguous(let name, let commits):
            self.init(
                .usage, "several commits begin with '\(name)':\n\(commits.joined(separator: "\n"))",
                hint: "name one by a longer part of it")
        case let error as GitError:
            self.init(.ioError, "failed to ask git: \(error)", hint: error.hint)
        case let error as ShadowTreeError:
            self.init(.ioError, "failed to check out the tree: \(error)", hint: error.hint)
        case let error as HookError:
            self.init(.usage, "failed to change the hooks: \(error)", hint: error.hint)
        case let error as PrePush.InputError:
            self.init(.badInput, "failed to read the refs of the push: \(error)")
        case let error as AccessError:
            self.init(error.status, "failed to \(error)", hint: error.hint)
        case let error as ObjectError:
            self.init(error.status, "failed to use the objects: \(error)", hint: error.hint)
        case let error as DashboardError:
            self.init(.ioError, "failed to \(error)", hint: error.hint)
        case let error as CocoaError:
            let path = error.filePath.map { "\($0): " } ?? ""
            self.init(.ioError, "failed on the file system: \(path)\(error.fileSystemReason)")
        case is CancellationError:
            self.init(.internalError, "the task was cancelled")
        default:
            return nil
        }
    }
}

extension StorageError {
    /// The status: the request may be wrong, or the store.
    fileprivate var status: ExitStatus {
        switch self {
        case .unknownRun, .differentProjects, .fileExists, .nameTaken: .usage
        case .invalidRun: .badInput
        default: .ioError
        }
    }
}

extension AccessError {
    /// The status: the request may be wrong, or the file.
    fileprivate var status: ExitStatus {
        switch self {
        case .nameTaken, .unknownName, .notValid, .unknownWebhook, .tooManyWebhooks: .usage
        case .damaged, .damagedWebhook, .badKey, .inaccessible: .ioError
        }
    }
}

extension ObjectError {
    /// The status: what was said of the store may be wrong, or the store.
    fileprivate var status: ExitStatus {
        switch kind {
        case .settings: .badConfiguration
        case .later, .failed, .refused, .tooLarge, .unreadable, .disk: .ioError
        }
    }
}

extension RunnerError {
    /// The status for a run that could not even be attempted.
    fileprivate var status: ExitStatus {
        switch self {
        case .packageNotFound, .invalidFilter: .usage
        case .manifestInvalid: .buildFailed
        case .refused, .swiftNotFound, .swiftGone, .toolNotFound, .toolchainUnreadable, .testBinaryNotFound,
            .isolationRefused:
            .badConfiguration
        case .productsUnusable: .badInput
        case .notMutable: .buildFailed
        case .descriptionUnreadable: .internalError
        case .interrupted, .manifestOverdue: .undecided
        case .scratchBusy, .notStarted, .runDirectory, .fileSystem: .ioError
        }
    }
}
