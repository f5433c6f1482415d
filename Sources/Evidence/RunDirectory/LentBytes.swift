/// Bytes that are valid during a call, such as those of a mapped file.
package struct LentBytes {
    /// The bytes.
    package let bytes: UnsafeBufferPointer<UInt8>
    /// Releases the memory of the first bytes, which a reader has finished. They may be read again.
    package let release: (Int) -> Void

    init(_ bytes: UnsafeBufferPointer<UInt8>, release: @escaping (Int) -> Void = { _ in }) {
        (self.bytes, self.release) = (bytes, release)
    }
}

extension [UInt8] {
    /// Lends these bytes.
    package func lent<Result, Failure: Error>(_ body: (LentBytes) throws(Failure) -> Result) throws(Failure) -> Result {
        try withUnsafeBufferPointer { bytes throws(Failure) in try body(LentBytes(bytes)) }
    }
}
