/// Bytes that are lent for the time of a call, such as those of a mapped file.
struct LentBytes {
    /// The bytes.
    let bytes: UnsafeBufferPointer<UInt8>
    /// Takes how many bytes at the beginning a reader is done with for now: their memory is given back. They may be looked
    /// at again.
    let release: (Int) -> Void

    init(_ bytes: UnsafeBufferPointer<UInt8>, release: @escaping (Int) -> Void = { _ in }) {
        self.bytes = bytes
        self.release = release
    }
}

extension [UInt8] {
    /// Lends these bytes.
    func lent<Result, Failure: Error>(_ body: (LentBytes) throws(Failure) -> Result) throws(Failure) -> Result {
        try withUnsafeBufferPointer { bytes throws(Failure) in try body(LentBytes(bytes)) }
    }
}
