import Foundation
import RunModel

/// LLVM's coverage map in an object file: an export must name the object's source, and have as many functions as the
/// map.
///
/// Only the section table and the record headers are read, which takes microseconds even for large objects.
struct CoverageMap: Sendable, Hashable {
    /// The number of functions; `nil` for an unknown version of the map.
    let functions: Int?

    private typealias Place = ObjectSections.Place

    /// The versions of the map that have functions in separate sections, with headers of 28 bytes.
    private static let versions = 3...6
    private static let recordHead = 28

    /// Reads an object file; `nil` without a map, and for any format but 64-bit little-endian ELF.
    init?(ofObjectAt path: String) throws(RunnerError) {
        let object = try onFileSystem("read", path) {
            try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        }
        guard let map = object.withUnsafeBytes({ CoverageMap(in: $0) }) else { return nil }
        self = map
    }

    /// Reads the bytes of an object file. Offsets outside of it are ignored.
    init?(in object: UnsafeRawBufferPointer) {
        guard let sections = ObjectSections(object), let first = sections.places(of: "__llvm_covmap").first else {
            return nil
        }
        let map = first ?? Place(offset: 0, size: 0)
        functions = Self.hasKnownVersion(object, map) ? Self.count(object, sections.places(of: "__llvm_covfun")) : nil
    }

    /// The map begins with four numbers, the last of which is its version.
    private static func hasKnownVersion(_ object: UnsafeRawBufferPointer, _ map: Place) -> Bool {
        guard map.size >= 16, let version = ObjectSections.number(object, at: map.offset + 12, as: UInt32.self) else {
            return false
        }
        return versions.contains(version)
    }

    /// The number of records; `nil` if one extends beyond its section.
    private static func count(_ object: UnsafeRawBufferPointer, _ sections: [Place?]) -> Int? {
        var count = 0
        for section in sections {
            guard let section else { return nil }
            var position = 0
            while position < section.size {
                // A hash of the name, the size of what follows the head, and two hashes more.
                guard let size = ObjectSections.number(object, at: section.offset + position + 8, as: UInt32.self)
                else { return nil }
                let end = position + recordHead + size
                guard end <= section.size else { return nil }
                position = (end + 7) / 8 * 8
                count += 1
            }
        }
        return count
    }
}
