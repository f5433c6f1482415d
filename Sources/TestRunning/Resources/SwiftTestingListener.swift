// Compiled at run time, once per toolchain, into a library that processes with tests of Swift Testing load. It has XCTest's
// assertions, of which Swift Testing hears nothing, recorded as issues of the test that runs.
import Foundation
import Testing
import XCTest

private let standIn = StandIn(name: "kanmon", testClosure: { _ in })

/// Called by the preloaded library before `main`; answers 1 where assertions are heard.
@_cdecl("kanmon_listener_install")
public func install() -> CInt {
    readInterop()
    // From 6.4 on the two libraries tell each other, as far as a mode lets them.
    #if compiler(>=6.4)
        if areForeignAssertionsIgnored { return 1 }
    #endif
    guard let current = CurrentTestCase(standIn) else { return 0 }
    standIn.heard = { description, file, line in
        // The place has a module, which XCTest does not tell; the stream is read by the path.
        let fileID = "XCTest/\(file.split(separator: "/").last ?? "")"
        let place = SourceLocation(fileID: fileID, filePath: file, line: max(1, line), column: 1)
        let comment = Comment(rawValue: description)
        if areForeignAssertionsIgnored {
            Issue.record(
                "\(comment) [of XCTest, ignored as in swift test]", severity: .warning, sourceLocation: place)
        } else {
            Issue.record(comment, severity: .error, sourceLocation: place)
        }
    }
    current.set(to: standIn)
    return 1
}
