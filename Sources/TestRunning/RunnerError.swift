public import Evidence
public import RunModel

/// Why a run could not be started or recorded. A failed build or test is not an error: it is in the manifest.
public enum RunnerError: Error, Sendable, Hashable {
    /// There is no `swift` in the folders given.
    case swiftNotFound(searched: String)
    /// The `swift` that was named is not there, or is no program; a hook names the one of the day on which it was installed.
    case swiftGone(path: String)
    /// The toolchain lacks a tool that a run needs.
    case toolNotFound(name: String, directories: [String])
    /// A tool did not print its version or target.
    case toolchainUnreadable(tool: String, detail: String)
    /// There is no `Package.swift` in the folder.
    case packageNotFound(path: String)
    /// SwiftPM refuses the manifest; the detail is its own text.
    case manifestInvalid(detail: String)
    /// The manifest was not evaluated in the time for the run.
    case manifestOverdue(after: Duration)
    /// SwiftPM's description of the package has another form than expected.
    case descriptionUnreadable(detail: String)
    /// Another run uses the scratch folder and did not end in time.
    case scratchBusy(path: String, owner: String)
    /// The caller refused the package's targets; nothing was built.
    case refused(ModuleRefusal)
    /// The engine `direct` found no test binary where SwiftPM should have put it.
    case testBinaryNotFound(path: String)
    /// A filter is no regular expression.
    case invalidFilter(text: String, reason: String)
    /// A program could not be started.
    case notStarted(program: String, errno: Int32)
    /// The machine does not allow the isolation that the settings require.
    case isolationRefused(Isolation, reason: String)
    /// The products in the scratch folder are not of this package, or have changed since the build.
    case productsUnusable(path: String, reason: String)
    /// The mutants of a change cannot be tried; the detail may have several lines.
    case notMutable(reason: String, detail: String)
    /// The run was ended before there were any results.
    case interrupted
    /// The run directory could not be written.
    case runDirectory(EvidenceError)
    /// The file system refused.
    case fileSystem(action: String, path: String, detail: String)
}

extension RunnerError: CustomStringConvertible {
    /// A fragment that fits "kanmon: failed to run the tests: …".
    public var description: String {
        switch self {
        case .swiftNotFound(let searched): "no swift found in \(searched.isEmpty ? "an empty PATH" : searched)"
        case .swiftGone(let path): "there is no swift at \(path)"
        case .toolNotFound(let name, let directories):
            "no \(name) beside swift in \(directories.joined(separator: ", "))"
        case .toolchainUnreadable(let tool, let detail): "\(tool) printed no usable information about itself: \(detail)"
        case .packageNotFound(let path): "no Package.swift in \(path)"
        case .manifestInvalid(let detail): "the manifest is not valid:\n\(detail)"
        case .manifestOverdue(let duration):
            "the manifest had not been evaluated after \(RunExecution.seconds(duration))"
        case .notMutable(let reason, let detail): detail.isEmpty ? reason : "\(reason):\n\(detail)"
        case .descriptionUnreadable(let detail): "the description of the package cannot be read: \(detail)"
        case .scratchBusy(let path, let owner): "\(path) is in use by \(owner)"
        case .refused(let refusal): refusal.reason
        case .testBinaryNotFound(let path): "there is no test binary at \(path)"
        case .invalidFilter(let text, let reason): "'\(text)' is not a regular expression: \(reason)"
        case .notStarted(let program, let errno): "\(program) could not be started: \(systemMessage(errno))"
        case .isolationRefused(let isolation, let reason):
            "the machine does not allow run.isolation: \(isolation.rawValue): \(reason)"
        case .productsUnusable(let path, let reason): "the products in \(path) cannot be used: \(reason)"
        case .interrupted: "the run was ended before it began"
        case .runDirectory(let error): "cannot \(error)"
        case .fileSystem(let action, let path, let detail): "cannot \(action) \(path): \(detail)"
        }
    }

    /// What to try, if anything.
    public var hint: String? {
        switch self {
        case .swiftNotFound: "install a toolchain from swift.org, or set KANMON_SWIFT to the path of swift"
        case .swiftGone:
            "kanmon hook install, if a hook recorded this path; else name another with --swift or KANMON_SWIFT"
        case .toolNotFound:
            "install the whole toolchain from swift.org; llvm tools of the system cannot read its profiles"
        case .packageNotFound: "name the package's folder with --package-path"
        case .scratchBusy: "wait for the other run to end"
        case .refused(let refusal): refusal.hint
        case .testBinaryNotFound: "use --engine swift-test"
        case .manifestOverdue: "find out what Package.swift waits for; swift package describe evaluates it alone"
        case .invalidFilter: "put a backslash before literal special characters, such as 'name\\(\\)'"
        case .productsUnusable: "build here, or use products of 'kanmon build' for this commit and folder"
        case .isolationRefused: "allow it on this machine, or write 'best', which uses what is possible"
        case .notMutable: "kanmon run --commit REV shows how the same tree does without mutants"
        case .toolchainUnreadable, .manifestInvalid, .descriptionUnreadable, .notStarted, .interrupted,
            .runDirectory, .fileSystem:
            nil
        }
    }
}
