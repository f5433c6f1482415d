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
        // The first is told by whole words, and hardly two texts pass it that are not the same.
        left.text == right.text && left.text.utf8.elementsEqual(right.text.utf8)
    }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
