import Evidence
import RunModel

/// Reads the errors out of what `swift build` printed.
enum BuildLog {
    /// No more errors than this are kept; whoever repairs a build reads the first ones.
    static let maximumErrors = 200

    /// The errors in the order in which they were first printed, each once.
    ///
    /// The compiler prints an error again for every job that meets it, and repeats it inside the source excerpt; what
    /// follows from an error (`link command failed …`) counts only when nothing else explains the failure. Bytes that
    /// are not UTF-8 are repaired.
    ///
    /// - Parameter packageRoot: The package's folder; it is cut from the paths inside of it.
    static func diagnostics(in document: LentBytes, packageRoot: String) -> [BuildDiagnostic] {
        let root = packageRoot.utf8.last == UInt8(ascii: "/") ? packageRoot : packageRoot + "/"
        var errors: [BuildDiagnostic] = []
        var consequences: [BuildDiagnostic] = []
        var seen: Set<BuildDiagnosticKey> = []
        /// The error of a macro's expansion, whose place in a source file comes on a later line.
        var expansion: BuildDiagnostic?

        func keep(_ error: BuildDiagnostic) {
            guard seen.insert(BuildDiagnosticKey(error)).inserted else { return }
            if BuildLogLine.isConsequence(error.message) {
                if consequences.count < maximumErrors { consequences.append(error) }
            } else {
                errors.append(error)
            }
        }

        document.forEachLine { line, _ in
            guard errors.count < maximumErrors, let line = BuildLogLine(line.bytes[...]) else { return }
            switch line {
            case .error(let message, let place) where place?.path.hasPrefix("macro expansion") == true:
                if let expansion { keep(expansion) }
                expansion = BuildDiagnostic(severity: .error, message: message)
            case .error(let message, let place):
                if let expansion { keep(expansion) }
                expansion = nil
                let location = place.map {
                    SourceLocation(path: relative($0.path, to: root), line: $0.line, column: $0.column)
                }
                keep(BuildDiagnostic(severity: .error, message: message, location: location))
            case .origin(let place):
                guard var error = expansion else { return }
                error.location = SourceLocation(
                    path: relative(place.path, to: root), line: place.line, column: place.column
                )
                keep(error)
                expansion = nil
            }
        }
        if let expansion { keep(expansion) }
        return errors.isEmpty ? consequences : Array(errors.prefix(maximumErrors))
    }

    private static func relative(_ path: String, to root: String) -> String {
        guard path.utf8.starts(with: root.utf8) else { return path }
        return String(decoding: path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
    }
}

/// What makes two errors the same: every byte of the message and the place.
private struct BuildDiagnosticKey: Hashable {
    let message: Name
    let path: Name?
    let line: Int?
    let column: Int?

    init(_ diagnostic: BuildDiagnostic) {
        message = Name(diagnostic.message)
        path = diagnostic.location.map { Name($0.path) }
        line = diagnostic.location?.line
        column = diagnostic.location?.column
    }
}
