import Glibc

/// Reads files and links with system calls, because names are bytes.
enum FileContent {
    /// The beginning of a file; `nil` if it is no file.
    static func beginning(of path: [UInt8], limit: Int) -> [UInt8]? {
        let descriptor = path.withPath { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let read = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), limit - count)
            }
            if read < 0 { return nil }
            if read == 0 { break }
            count += read
        }
        return Array(bytes[..<count])
    }

    /// The target of a link as written; `nil` if it is no link.
    static func text(ofLinkAt path: [UInt8]) -> [UInt8]? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPath { readlink($0, &bytes, bytes.count) }
        return count < 0 ? nil : bytes[..<count].map { UInt8(bitPattern: $0) }
    }

    /// The path with all links resolved; `nil` if it does not exist.
    static func real(_ path: [UInt8]) -> [UInt8]? {
        guard let found = path.withPath({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return (0..<strlen(found)).map { UInt8(bitPattern: found[$0]) }
    }
}
