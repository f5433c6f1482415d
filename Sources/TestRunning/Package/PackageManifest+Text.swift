import Foundation

extension PackageManifest {
    /// The name that a manifest gives its package, read without evaluating it.
    ///
    /// Evaluating takes a second, which is too long to answer for a known tree.
    ///
    /// - Returns: The string literal after `Package(name:`; `nil` if the name is computed or missing.
    public static func literalName(in source: String) -> String? {
        let code = withoutComments(source)
        guard let match = code.firstMatch(of: /\bPackage\s*\(\s*name\s*:\s*"([^"\\\n]+)"/) else { return nil }
        return String(match.1)
    }

    /// Whether a manifest can read files or ask git, so that the same text and variables may evaluate to something else another time: it
    /// imports more than the description of packages, or calls C by name.
    public static func canReadFiles(_ source: String) -> Bool {
        canReadFiles(source) { ["PackageDescription", "CompilerPluginSupport"].contains($0) }
    }

    /// Whether one of the manifests in a folder may do so; also where nobody can read them.
    static func canReadFiles(in folder: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return true }
        return names.filter(isName).contains { name in
            guard let text = FileManager.default.contents(atPath: "\(folder)/\(name)") else { return true }
            return canReadFiles(String(decoding: text, as: UTF8.self))
        }
    }

    /// Whether a source imports more than some modules, of which none can read files, or calls C by name.
    static func canReadFiles(_ source: String, harmless: (Substring) -> Bool) -> Bool {
        // Where comments cannot be told from string literals for certain, an import inside of them counts, too.
        let code = isPlain(source) ? withoutComments(source) : source
        let imports = code.matches(
            of: /\bimport\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?([\w`]+)/
        ).map(\.1)
        return !imports.allSatisfy(harmless) || imports.count < code.matches(of: /\bimport\b/).count
            || code.contains("gitInformation") || code.contains(/@\s*(?:_|extern|c)/)
    }

    /// Whether a file in the package's folder is one of its manifests.
    public static func isName(_ name: String) -> Bool {
        name == "Package.swift" || (name.hasPrefix("Package@swift-") && name.hasSuffix(".swift"))
    }

    /// The folders that a manifest names, each with a slash at its end: of targets that lie elsewhere, and of local packages. Empty for
    /// the package's own folder.
    ///
    /// - Returns: `nil` if one of them is computed.
    public static func literalFolders(in source: String) -> [String]? {
        guard isPlain(source) else { return nil }
        let code = withoutComments(source)
        let paths = code.matches(of: /\bpath\s*:\s*"([^"\\\n]*)"\s*[,)]/).map(\.1)
        guard paths.count == code.matches(of: /\bpath\s*[:=]/).count else { return nil }
        return paths.map { path in
            let steps = path.split(separator: "/").filter { $0 != "." }
            return steps.map { "\($0)/" }.joined()
        }
    }

    /// Whether it is certain where the comments of a source are: each string literal is in one line, without escapes and interpolation,
    /// and there is no raw string and no regular expression.
    private static func isPlain(_ source: String) -> Bool {
        guard !["\"\"\"", "#\"", "#/", "\\"].contains(where: source.contains) else { return false }
        let code = withoutComments(source)
        return code.split(separator: "\n").allSatisfy { line in
            let pieces = line.split(separator: "\"", omittingEmptySubsequences: false)
            // Every other piece is inside of a string literal.
            return pieces.count % 2 == 1
                && stride(from: 0, to: pieces.count, by: 2).allSatisfy { !pieces[$0].contains("/") }
        }
    }

    /// The source with a space for each comment, except inside of strings.
    private static func withoutComments(_ source: String) -> String {
        let text = Array(source.utf8)
        var code: [UInt8] = []
        code.reserveCapacity(text.count)
        var at = 0
        var depth = 0
        var isString = false
        while at < text.count {
            let pair = (text[at], at + 1 < text.count ? text[at + 1] : 0)
            switch pair {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")) where !isString:
                depth += 1
                at += 2
            case (UInt8(ascii: "*"), UInt8(ascii: "/")) where depth > 0:
                depth -= 1
                if depth == 0 { code.append(UInt8(ascii: " ")) }
                at += 2
            case _ where depth > 0:
                at += 1
            case (UInt8(ascii: "/"), UInt8(ascii: "/")) where !isString:
                at = text[at...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            case (UInt8(ascii: "\\"), _) where isString:
                code += [pair.0, pair.1]
                at += 2
            default:
                if pair.0 == UInt8(ascii: "\"") { isString.toggle() }
                code.append(pair.0)
                at += 1
            }
        }
        return String(decoding: code, as: UTF8.self)
    }
}
