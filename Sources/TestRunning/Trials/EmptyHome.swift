import Foundation

/// A home folder with nothing in it, and a folder for temporary files, for processes that are to find nothing of what others have left in
/// those of the user.
struct EmptyHome {
    private let path: String
    /// The variables that point processes to it.
    let variables: [String: String]

    /// What leads to a folder below the home folder, or to one that is used like it.
    private static let places = [
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
    ]

    /// Makes the folders.
    ///
    /// - Parameter environment: What the processes would get. Of other places, only those that are named in it are replaced.
    init(instead environment: [String: String]) throws(RunnerError) {
        // Names of sockets are short, so the folder has a short path.
        let path = try makeDirectory(besides: FileManager.default.temporaryDirectory.path + "/kanmon-home")
        var variables = ["HOME": "\(path)/home", "TMPDIR": "\(path)/tmp"]
        for name in Self.places where environment[name] != nil { variables[name] = "\(path)/\(name)" }
        (self.path, self.variables) = (path, variables)
        do throws(RunnerError) {
            for folder in variables.values { try makeDirectory(folder) }
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the folders with all that lies in them; what cannot be removed stays.
    func remove() { try? removeIfPresent(path) }
}
