import Crypto
import Foundation

/// A SHA-256 of several pieces, each of which counts with its length: other pieces are other bytes, as long as those that may
/// be absent come in the same places.
struct PiecewiseHash {
    private var bytes: [UInt8] = []

    /// Adds a piece.
    mutating func add(_ piece: some Collection<UInt8>) {
        withUnsafeBytes(of: UInt64(piece.count).littleEndian) { bytes += $0 }
        bytes += piece
    }

    /// Adds a piece that may not be there, which is another than an empty one.
    mutating func add(_ piece: (some Collection<UInt8>)?) {
        bytes.append(piece == nil ? 0 : 1)
        if let piece { add(piece) }
    }

    /// Adds all that a listing has.
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
    var hexadecimal: String { SHA256.hash(data: bytes).hexadecimal }
}
