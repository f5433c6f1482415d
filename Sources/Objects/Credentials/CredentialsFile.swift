import Evidence
import Foundation

/// The file of credentials that the tools of AWS share: sections in brackets, one a profile, with lines `name = value`.
///
/// Only keys in the file itself are read. A profile that assumes a role, runs a program or signs in is for other tools.
struct CredentialsFile: Sendable {
    /// The largest file, in bytes.
    private static let largest = 1 << 20

    private let path: String
    private let profiles: [String: [String: String]]

    /// Reads a file; `nil` if there is none. Links are followed: the file is the user's own, and containers mount such.
    ///
    /// - Throws: `ObjectError` of kind `.settings`.
    init?(path: String) throws(ObjectError) {
        let place = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let bytes: [UInt8]?
        do throws(EvidenceError) {
            bytes = try SmallFile.read(place, limit: Self.largest)
        } catch {
            throw ObjectError(.settings, "the file of credentials: \(error)", hint: "look at its name and its rights")
        }
        guard let bytes else { return nil }
        self.init(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    init(path: String, text: String) {
        self.path = path
        var (profiles, profile): ([String: [String: String]], String?) = ([:], nil)
        for line in text.split(whereSeparator: \.isNewline) {
            // What is indented belongs to the line before, and is nothing that is read here.
            guard let first = line.first, !first.isWhitespace, first != "#", first != ";" else { continue }
            let words = line.trimmingCharacters(in: .whitespaces)
            if words.hasPrefix("["), let end = words.firstIndex(of: "]") {
                let name = words[words.index(after: words.startIndex)..<end].trimmingCharacters(in: .whitespaces)
                profile = name
                if profiles[name] == nil { profiles[name] = [:] }
            } else if let profile, let equals = words.firstIndex(of: "=") {
                let name = words[..<equals].trimmingCharacters(in: .whitespaces).lowercased()
                let value = words[words.index(after: equals)...].trimmingCharacters(in: .whitespaces)
                profiles[profile]?[name] = value
            }
        }
        self.profiles = profiles
    }

    /// The credentials of a profile; `nil` if there is no such profile.
    ///
    /// - Throws: `ObjectError` of kind `.settings` for a profile without a whole key.
    func credentials(of profile: String) throws(ObjectError) -> ObjectCredentials? {
        guard let values = profiles[profile] else { return nil }
        let token = values["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        guard
            let credentials = ObjectCredentials(
                accessKey: values["aws_access_key_id"] ?? "", secret: values["aws_secret_access_key"] ?? "",
                sessionToken: token)
        else {
            throw ObjectError(
                .settings, "\(path): the profile '\(ObjectError.shown(profile))' has no key that can be used",
                hint: "it needs aws_access_key_id and aws_secret_access_key; profiles of roles are not read")
        }
        return credentials
    }
}
