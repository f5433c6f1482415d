import RunModel

import struct Foundation.Data

/// A file that a test of the demo attached.
public struct DemoAttachment: Sendable, Hashable {
    /// What the test called it.
    public let name: String
    /// What is in it.
    public let bytes: [UInt8]
    /// SHA-256 of the bytes: this room computes none.
    let sha256: String

    /// Where it lies in the run directory.
    public var path: String { "attachments/\(sha256)" }

    /// The entry in the result of the test.
    var result: TestAttachment { TestAttachment(name: name, path: path, bytes: bytes.count) }

    /// What the demo's tests attached, each content once.
    public static let all = [answer, thumbnail]

    static let answer = DemoAttachment(
        name: "answer of the cache.txt",
        bytes: Array("GET /thumbnail?video=42&width=320\n200 OK\nage: 0.998\ncache-control: max-age=1\n".utf8),
        sha256: "a9b4eac6ca378d650fa758a03748085cb1523b8e35a63386b01b2f8bd2c42521")
    static let thumbnail = DemoAttachment(
        name: "thumbnail.png",
        bytes: Array(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAHUlEQVR42mOQs9lCEmIY1UATDSem2ZCERjXQRAMAIW1UEMGu"
                    + "WyIAAAAASUVORK5CYII=") ?? Data()),
        sha256: "ffb6024755b08fc623144226cc3a86dadbb1c3c3fdf69b79d2b9ed557a420262")
}
