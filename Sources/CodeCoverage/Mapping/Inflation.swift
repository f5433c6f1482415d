internal import CZlib

/// Unpacks what LLVM packs in coverage maps and profiles: the only file of this room that knows zlib.
///
/// One stream serves for all of the many short texts; a new one for each would take longer than the texts do.
package final class Inflation {
    private let stream: UnsafeMutablePointer<z_stream>

    /// The version of the library that is loaded.
    package static var libraryVersion: String { String(cString: zlibVersion()) }

    /// Makes ready; `nil` when there is no memory for it.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Unpacks all of a stream, which has to be exactly as long as was announced, to the end of `bytes`.
    func unpack(
        _ packed: UnsafeRawBufferPointer, count: Int, to bytes: inout [UInt8]
    ) throws(MappingFault) {
        // No stream unpacks to more than 1032 times its length; no memory is spent on what cannot be.
        guard count > 0, count <= packed.count &* 1032, packed.count <= Int(Int32.max) else { throw .packing }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: count))
        let isWhole = bytes.withUnsafeMutableBytes { target in
            guard let base = target.baseAddress else { return false }
            inflateReset(stream)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = uInt(packed.count)
            stream.pointee.next_out = (base + start).assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = uInt(count)
            return inflate(stream, Z_FINISH) == Z_STREAM_END && stream.pointee.avail_in == 0
                && stream.pointee.avail_out == 0
        }
        guard isWhole else { throw .packing }
    }
}
