import Cryptography
import Foundation

/// A SHA-256 of several pieces, each with its length, so that different pieces give different bytes. Optional pieces
/// must come in the same order.
struct PiecewiseHash {
    private var bytes: [UInt8] = []

    mutating func add(_ piece: some Collection<UInt8>) {
        withUnsafeBytes(of: UInt64(piece.count).littleEndian) { bytes += $0 }
        bytes += piece
    }

    /// Adds an optional piece; a missing one differs from an empty one.
    mutating func add(_ piece: (some Collection<UInt8>)?) {
        bytes.append(piece == nil ? 0 : 1)
        if let piece { add(piece) }
    }

    mutating func add(_ listing: FolderListing) {
        add("\(listing.folders.count) \(listing.files.count)".utf8)
        for folder in listing.folders { add(folder) }
        for file in listing.files {
            add(file.path)
            add(file.target)
            add(file.stamp?.bytes)
        }
    }

    /// The hash of all pieces so far.
    var hexadecimal: String { SHA256.hash(bytes).hexadecimal }
}
