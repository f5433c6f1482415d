import Delivery
import Evidence
import Foundation
import Gate

/// The server that this user's runs are delivered to, as `kanmon login` keeps it.
struct ServerLogin: Sendable, Hashable, Codable {
    /// The address.
    var address: String
    /// The token.
    var token: String
    /// Whether the user allowed a connection that is not encrypted.
    var allowsPlainHTTP = false
    /// Whether runs of working copies are delivered too.
    var deliversWorkingCopies = false
}

/// `server.json` in the user's folder of settings, which only the user can read.
///
/// It is never looked for in the package that is judged: a commit could send its judge elsewhere.
struct ServerLoginFile: Sendable {
    /// The path of the file.
    let path: String

    /// The file by the XDG base directory specification.
    init(_ surroundings: Surroundings) {
        let chosen = surroundings.environment["XDG_CONFIG_HOME"] ?? ""
        // The specification says to ignore relative paths.
        let folder =
            chosen.hasPrefix("/") ? chosen : (surroundings.environment["HOME"] ?? "/") + "/.config"
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
    func write(_ login: ServerLogin) throws(Problem) {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try replace(with: Array(try encoder.encode(login)) + [UInt8(ascii: "\n")])
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem(.ioError, "failed to write \(path): \(error.fileSystemReason)")
        }
    }

    /// Writes beside the file and takes its name, so that there is the old login or the new one, and never a part of one.
    private func replace(with bytes: [UInt8]) throws {
        var name = "\(path)-XXXXXX".utf8CString.map { $0 }
        // The system makes it readable by its owner only.
        let descriptor = name.withUnsafeMutableBufferPointer { $0.baseAddress.map(mkstemp) ?? -1 }
        guard descriptor >= 0 else { throw refusal }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let temporary = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(temporary, path) == 0
        else {
            let problem = refusal
            unlink(temporary)
            throw problem
        }
    }

    private var refusal: Problem {
        Problem(.ioError, "failed to write \(path): \(String(cString: strerror(errno)))")
    }

    /// Removes the login.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: `Problem` if it cannot be removed.
    func remove() throws(Problem) -> Bool {
        if unlink(path) == 0 { return true }
        if errno == ENOENT || errno == ENOTDIR { return false }
        throw Problem(.ioError, "failed to remove \(path): \(String(cString: strerror(errno)))")
    }
}
