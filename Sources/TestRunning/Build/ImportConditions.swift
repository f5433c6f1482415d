import Foundation

/// What sources ask with `#if canImport(M)`. Compilers record which modules they read, but not for which they looked.
enum ImportConditions {
    /// The modules that sources ask for, in comments too; what cannot be read asks for none.
    static func modules(in files: some Sequence<[UInt8]>) -> Set<String> {
        files.reduce(into: []) { names, file in
            guard let content = FileManager.default.contents(atPath: String(decoding: file, as: UTF8.self)) else {
                return
            }
            names.formUnion(modules(in: content))
        }
    }

    /// The modules that a source asks for: of `A.B` it is `A`.
    static func modules(in source: Data) -> Set<String> {
        var names: Set<String> = []
        var rest = source[...]
        while let found = rest.range(of: Data("canImport".utf8)) {
            rest = rest[found.upperBound...]
            let words = rest.drop(while: isBlank)
            guard words.first == UInt8(ascii: "(") else { continue }
            let name = words.dropFirst().drop { isBlank($0) || $0 == UInt8(ascii: "`") }.prefix(while: isName)
            if !name.isEmpty { names.insert(String(decoding: name, as: UTF8.self)) }
        }
        return names
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    /// Whether a byte can be a part of a name.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
            true
        default: false
        }
    }
}
