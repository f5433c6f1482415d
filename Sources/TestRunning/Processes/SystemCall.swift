import Foundation

/// The system's message for an error number.
func systemMessage(_ number: Int32) -> String {
    String(cString: strerror(number))
}

/// Calls functions of Foundation and converts their errors.
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

/// Makes a system call that returns a negative number on failure.
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

/// Makes a uniquely named folder whose path begins with the given one, readable by its owner only.
///
/// - Returns: Its path.
func makeDirectory(besides path: String) throws(RunnerError) -> String {
    var template = Array("\(path).XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) != nil else {
        throw .fileSystem(action: "make", path: path, detail: systemMessage(errno))
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// The absolute path without links; `nil` if it does not exist.
func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}
