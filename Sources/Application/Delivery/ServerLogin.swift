import Delivery
import Evidence
import Foundation
import Gate

/// The server that this user's runs are delivered to, as `kanmon login` keeps it.
package struct ServerLogin: Sendable, Hashable, Codable {
    var address: String
    var token: String
    /// Whether the user allowed a connection that is not encrypted.
    var allowsPlainHTTP = false
    /// Whether runs of working copies are delivered too.
    var deliversWorkingCopies = false
    /// The key that the server signed verdicts with at the login, in base 64; `nil` if it signed none.
    var key: String?
    /// Whether every tree is tested here, whatever the server knows; `nil` is no.
    var ignoresServerVerdicts: Bool?

    package init(
        address: String, token: String, allowsPlainHTTP: Bool = false, deliversWorkingCopies: Bool = false,
        key: String? = nil, ignoresServerVerdicts: Bool? = nil
    ) {
        self.address = address
        self.token = token
        self.allowsPlainHTTP = allowsPlainHTTP
        self.deliversWorkingCopies = deliversWorkingCopies
        self.key = key
        self.ignoresServerVerdicts = ignoresServerVerdicts
    }
}

/// `server.json` in the user's folder of settings, which only the user can read.
///
/// It is never looked for in the package that is judged: a commit could send its judge elsewhere.
package struct ServerLoginFile: Sendable {
    /// The path of the file.
    package let path: String

    /// The file by the XDG base directory specification.
    package init(_ process: ProcessContext) {
        let chosen = process.environment["XDG_CONFIG_HOME"] ?? ""
        // The specification says to ignore relative paths.
        let folder =
            chosen.hasPrefix("/") ? chosen : (process.environment["HOME"] ?? "/") + "/.config"
        path = folder + "/kanmon/server.json"
    }

    /// Reads the login; `nil` if there is none.
    ///
    /// - Throws: `Problem` if the file cannot be read, or if others can read it.
    func read() throws(Problem) -> ServerLogin? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Problem(.ioError, "failed to read \(path): \(String(cString: strerror(errno)))")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        guard let status = FileStatus(descriptor: descriptor), status.isRegularFile else {
            throw Problem(.ioError, "\(path) is no file", hint: "kanmon login URL")
        }
        guard !status.isOpenToOthers else {
            throw Problem(
                .badConfiguration, "other users can read the token in \(path)",
                hint: "chmod 600 \(path), and better have the token revoked")
        }
        do {
            return try JSONDecoder().decode(ServerLogin.self, from: try file.read(upToCount: 1 << 16) ?? Data())
        } catch {
            throw Problem(.badConfiguration, "\(path) cannot be understood", hint: "kanmon login URL")
        }
    }

    /// Keeps a login in place of the one before.
    ///
    /// - Throws: `Problem` if it cannot be written.
    package func write(_ login: ServerLogin) throws(Problem) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try SmallFile.replace(path, with: Array(try JSONEncoder.steadyLines.encode(login)) + [UInt8(ascii: "\n")])
        } catch let error as EvidenceError {
            throw Problem(.ioError, "failed to \(error)")
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
    }

    /// Removes the login.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `Problem` if it cannot be removed.
    package func remove() throws(Problem) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw Problem(.ioError, "failed to remove \(path): \(String(cString: strerror(errno)))")
    }
}
