import Foundation

extension BuildPlan.Command {
    /// The paths in some folders that the words of a compiler name: files that may name others, and folders that are searched for more
    /// than headers. The folders themselves are none.
    ///
    /// - Parameters:
    ///   - folders: Absolute; relative paths are those in the first of them.
    ///   - wasThere: Whether a path that is not there any more is one of them, too.
    func openPaths(in folders: [String], or wasThere: (String) -> Bool = { _ in false }) -> Set<String> {
        guard let root = folders.first else { return [] }
        var paths: Set<String> = []
        var before = ""
        let words = arguments.dropFirst().map { String(decoding: $0, as: UTF8.self) }
        for word in words where !Self.passing.contains(word) {
            defer { before = word }
            if Self.naming.contains(before) || Self.searching.contains(before) { continue }
            if (Self.searching + ["-D", "-fmodule-name="]).contains(where: word.hasPrefix) { continue }
            for part in [word[...]] + word.split(whereSeparator: { "=,@#".contains($0) }) where !part.isEmpty {
                var text = String(part)
                for flag in Self.joined where text.hasPrefix(flag) { text.removeFirst(flag.count) }
                guard !text.isEmpty, !text.hasPrefix("-") else { continue }
                let path = ((text.hasPrefix("/") ? text : "\(root)/\(text)") as NSString).standardizingPath
                guard folders.contains(where: { path.hasPrefix("\($0)/") }), !path.hasSuffix(".swift"),
                    !path.hasSuffix("/module.modulemap"), FileManager.default.fileExists(atPath: path) || wasThere(path)
                else { continue }
                paths.insert(path)
            }
        }
        return paths
    }

    /// What passes the next word on to another compiler.
    private static let passing = ["-Xcc", "-Xfrontend", "-Xclang", "-Xpreprocessor", "-Xassembler"]
    /// The next word is a name or number.
    private static let naming: Set = [
        "-module-name", "-package-name", "-target", "-swift-version", "-Xllvm", "-D", "-MT", "-enable-upcoming-feature",
        "-enable-experimental-feature",
    ]
    /// The next word, or what follows, is only searched for headers and modules by their names.
    private static let searching = [
        "-I", "-F", "-L", "-isystem", "-iquote", "-idirafter", "-iframework", "-Fsystem", "-Isystem",
    ]
    /// Flags behind which a path may stand without a blank.
    private static let joined = ["-ivfsoverlay", "-iapinotes-modules", "-include", "-imacros", "-B"]
}
