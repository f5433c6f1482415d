import Foundation

/// Text as a key: equal only when every byte is.
///
/// A `String` would not do: to Swift the two normalization forms of `ガ.swift` are one key, to the file system they are
/// two files.
struct ExactText: Hashable, Comparable {
    private(set) var text: String

    init(_ text: String) {
        self.text = text
        self.text.makeContiguousUTF8()
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        compare(left, right) == 0
    }

    static func < (left: ExactText, right: ExactText) -> Bool { compare(left, right) < 0 }

    /// Negative where the left one comes first, 0 where both are the same: by whole words, as memory is compared.
    private static func compare(_ left: ExactText, _ right: ExactText) -> Int {
        var (one, other) = (left.text, right.text)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                let count = min(one.count, other.count)
                // Of no text there may be no address.
                let order =
                    if count > 0, let one = one.baseAddress, let other = other.baseAddress {
                        Int(memcmp(one, other, count))
                    } else { 0 }
                return order == 0 ? one.count - other.count : order
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
