import Foundation

/// A home folder with nothing in it, and a folder for temporary files, for processes that are to find nothing of what others have left in
/// those of the user.
struct EmptyHome {
    private let path: String
    /// The variables that point processes to it.
    let variables: [String: String]

    /// Variables besides those of the home folder and of temporary files by which programs find folders of a user.
    ///
    /// Those of the desktop standard are told by their form: a setting may pass on more of them than are known here.
    private static func leadsToFolder(_ name: String) -> Bool {
        if ["TEMP", "TEMPDIR", "TMP"].contains(name) { return true }
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
        }
        return isPlain && name.hasPrefix("XDG_") && (name.hasSuffix("_HOME") || name.hasSuffix("_DIR"))
    }

    /// Makes the folders.
    ///
    /// - Parameter environment: What the processes would get. Of other places, only those that are named in it are replaced.
    init(instead environment: [String: String]) throws(RunnerError) {
        // Names of sockets are short, so the folder has a short path.
        let path = try makeDirectory(besides: FileManager.default.temporaryDirectory.path + "/kanmon-home")
        // Foundation on Linux asks for CFFIXED_USER_HOME first, then for the account, and for HOME last.
        var variables = ["CFFIXED_USER_HOME": "\(path)/home", "HOME": "\(path)/home", "TMPDIR": "\(path)/tmp"]
        for name in environment.keys where Self.leadsToFolder(name) { variables[name] = "\(path)/\(name)" }
        (self.path, self.variables) = (path, variables)
        do throws(RunnerError) {
            for folder in Set(variables.values) { try makeDirectory(folder) }
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the folders with all that lies in them; what cannot be removed stays.
    func remove() { try? removeIfPresent(path) }
}
