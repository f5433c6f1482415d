import Foundation

/// The system's own words for an error number.
func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}

/// Does what Foundation's file functions do, and turns what they throw into the error of this room.
func onFileSystem<Value>(
    _ action: String,
    _ path: String,
    _ body: () throws -> Value
) throws(RunnerError) -> Value {
    do {
        return try body()
    } catch {
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let number = (underlying as? POSIXError)?.code.rawValue
        throw .fileSystem(action: action, path: path, detail: number.map(systemMessage) ?? "\(error)")
    }
}

/// Makes a system call that answers a negative number on failure.
@discardableResult
func systemCall(_ action: String, _ path: String, _ body: () -> Int32) throws(RunnerError) -> Int32 {
    while true {
        let result = body()
        if result >= 0 { return result }
        if errno != EINTR { throw .fileSystem(action: action, path: path, detail: systemMessage(errno)) }
    }
}

/// Removes a file or folder where there is one.
func removeIfPresent(_ path: String) throws(RunnerError) {
    var info = stat()
    guard lstat(path, &info) == 0 else { return }
    try onFileSystem("remove", path) { try FileManager.default.removeItem(atPath: path) }
}

/// Makes a folder and those above it, readable by its owner only.
func makeDirectory(_ path: String) throws(RunnerError) {
    try onFileSystem("make", path) {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
    }
}

/// Makes a folder of a name that nobody else has, beside the path given and beginning with it, readable by its owner only.
///
/// - Returns: Its path.
func makeDirectory(besides path: String) throws(RunnerError) -> String {
    var template = Array("\(path).XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) != nil else {
        throw .fileSystem(action: "make", path: path, detail: systemMessage(errno))
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The absolute path without links; `nil` where there is nothing.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}
