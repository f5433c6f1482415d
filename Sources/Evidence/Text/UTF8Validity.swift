extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first byte that does not begin or continue a well-formed UTF-8 sequence.
    ///
    /// The rules are table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF.
    var firstInvalidUTF8: Int? {
        guard let base = baseAddress else { return nil }
        let bytes = UnsafeRawPointer(base)
        var index = 0
        while index < count {
            if index + 8 <= count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
                continue
            }
            let first = self[index]
            let length: Int
            var allowed: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0x00...0x7F:
                index += 1
                continue
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, allowed) = (3, 0xA0...0xBF)
            case 0xED: (length, allowed) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, allowed) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, allowed) = (4, 0x80...0x8F)
            default: return index
            }
            guard index + length <= count, allowed.contains(self[index + 1]) else { return index }
            for offset in 2..<4 where offset < length {
                guard (0x80...0xBF).contains(self[index + offset]) else { return index }
            }
            index += length
        }
        return nil
    }
}
