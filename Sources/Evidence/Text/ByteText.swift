/// Text that is compared byte by byte: a key for identities that come from data.
///
/// Two names that differ only in Unicode normalization are two names to the compiler, but one `String` key.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteText, right: ByteText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
