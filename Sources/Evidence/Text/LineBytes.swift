import Foundation

/// One line of a log, borrowed: whatever bytes a program printed, without the newline.
package struct LineBytes {
    package let bytes: UnsafeBufferPointer<UInt8>

    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    init(_ slice: Slice<UnsafeBufferPointer<UInt8>>) { bytes = UnsafeBufferPointer(rebasing: slice) }

    package var count: Int { bytes.count }
    package var isEmpty: Bool { bytes.isEmpty }
    /// The text; what is not UTF-8 becomes U+FFFD.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package subscript(range: Range<Int>) -> LineBytes { LineBytes(bytes[range]) }

    /// The line from an offset on.
    package func from(_ offset: Int) -> LineBytes { LineBytes(bytes[min(offset, count)...]) }

    /// The line up to an offset.
    package func upTo(_ offset: Int) -> LineBytes { LineBytes(bytes[..<max(0, min(offset, count))]) }

    package func hasPrefix(_ text: StaticString) -> Bool {
        guard let base = bytes.baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    package func hasSuffix(_ text: StaticString) -> Bool { from(max(0, count - text.utf8CodeUnitCount)).equals(text) }

    func equals(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && hasPrefix(text) }

    /// The offset of the first occurrence of a text at or behind `start`.
    package func find(_ text: StaticString, from start: Int = 0) -> Int? {
        find(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), from: start)
    }

    /// The offset of the first occurrence of some bytes at or behind `start`.
    package func find(_ other: UnsafeBufferPointer<UInt8>, from start: Int = 0) -> Int? {
        guard let base = bytes.baseAddress, let first = other.first, let text = other.baseAddress else { return nil }
        var place = start
        while place + other.count <= count {
            guard let found = memchr(base + place, Int32(first), count - place - other.count + 1) else { return nil }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(found, text, other.count) == 0 { return place }
            place += 1
        }
        return nil
    }

    /// The offset of the last occurrence of a text.
    package func findLast(_ text: StaticString) -> Int? {
        var result: Int?
        while let next = find(text, from: result.map { $0 + 1 } ?? 0) { result = next }
        return result
    }
}
