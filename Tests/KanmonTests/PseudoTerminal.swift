import Foundation

/// A terminal for one program, with somebody in front of it who reads and types.
final class PseudoTerminal: Sendable {
    /// There is no terminal to be had, or it does not show what somebody waits for.
    struct Failure: Error {
        let reason: String
    }

    /// The device that the program has as its terminal.
    let path: String
    /// The end of whoever reads and types.
    private let screen: Int32
    /// The end of the program, held open until it has begun.
    private let device: Int32

    init() throws {
        var (screen, device): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 4096)
        guard openpty(&screen, &device, &name, nil, nil) == 0 else { throw Failure(reason: "errno \(errno)") }
        // Other tests start processes, which would hold them open.
        for end in [screen, device] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(screen, F_SETFL, O_NONBLOCK)
        self.screen = screen
        self.device = device
        path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit {
        close(screen)
        close(device)
    }

    /// Makes a program of the tests one that has this terminal for its input, and may ask on it.
    var wrapper: [String] { ["sh", "-c", "exec setsid --wait --ctty \"$@\" <\"$0\"", path] }

    /// Types keys.
    func enter(_ keys: String) throws {
        let bytes = Array(keys.utf8)
        guard write(screen, bytes, bytes.count) == bytes.count else { throw Failure(reason: "errno \(errno)") }
    }

    /// What has come onto the screen since it was last looked at.
    func shown() -> String {
        var seen: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(screen, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: seen, as: UTF8.self) }
            seen += buffer[..<count]
        }
    }

    /// Waits until a text is on the screen, and gives what is.
    func shown(until text: String) async throws -> String {
        var seen = ""
        for _ in 0..<1200 {
            seen += shown()
            if seen.contains(text) { return seen }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(reason: "it shows \(seen.debugDescription)")
    }
}
