import Foundation

extension XMLScanner {
    static let prologLimit = 128
    private static let declarations: [String] = ["\"", "'"].flatMap { quote in
        ["", " encoding=UTF-8", " encoding=utf-8"].flatMap { encoding in
            ["", " standalone=yes", " standalone=no"].map { standalone in
                let parts = ("version=1.0" + encoding + standalone).split(separator: " ").map { part in
                    part.replacing("=", with: "=\(quote)") + quote
                }
                return parts.joined(separator: " ") + "?>"
            }
        }
    }

    /// Behind a byte-order mark and the declaration, where they are there; `nil` for a declaration that is not known.
    func prolog(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8>? {
        var place = start
        if end - place >= 3, memcmp(place, "\u{FEFF}", 3) == 0 { place += 3 }
        guard end - place >= 6, memcmp(place, "<?xml ", 6) == 0 else { return place }
        place += 6
        for declaration in Self.declarations {
            let length = declaration.utf8.count
            if end - place >= length, memcmp(place, declaration, length) == 0 { return place + length }
        }
        return nil
    }
}
