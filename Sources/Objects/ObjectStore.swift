public import struct Foundation.Date

/// A place that keeps bytes under keys: a folder, or a bucket of S3.
///
/// What a store promises, whichever it is:
/// - When `put` returns, the object is kept, whole, with the bytes of which the SHA-256 was said. Before, and after an error, there is
///   the object that was there before, the new one, or none; never a part.
/// - Putting, getting and deleting the same again does no harm.
/// - `nil` says that the store itself said so: there is no such object. What is not known is an error.
/// - A listing has every object that was put before it began, except in stores that list late; keys are in the order of their bytes.
///
/// No key may be that of a folder in another key (`a` beside `a/b`): a folder cannot keep both, and refuses the second.
public protocol ObjectStore: Sendable {
    /// Keeps an object, in place of one that has its key.
    ///
    /// - Parameter deadline: When to give up.
    func put(
        _ content: ObjectContent, at key: ObjectKey, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError)

    /// Hands over the bytes of an object piece by piece, from the first to the last. What was handed over before an error is the
    /// beginning of the object.
    ///
    /// - Parameters:
    ///   - limit: The most that is taken, in bytes; of a larger object nothing is handed over.
    ///   - take: Takes the next piece. What it throws ends the call.
    /// - Returns: The size; `nil` if there is no such object.
    func get(
        _ key: ObjectKey, limit: Int, until deadline: ContinuousClock.Instant,
        _ take: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) async throws(ObjectError) -> Int?

    /// The size of an object in bytes; `nil` if there is none.
    func head(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) -> Int?

    /// Lists objects in the order of their keys.
    ///
    /// - Parameters:
    ///   - folder: Only those in it; `nil` for all.
    ///   - after: Only those behind it: the last key that is known, or `ObjectPage.next`.
    ///   - limit: The most that are listed: 1 to `ObjectPage.largest`.
    func list(
        in folder: ObjectKey?, after: String?, limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) -> ObjectPage

    /// Removes an object; none is no error.
    func delete(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError)
}

extension ObjectStore {
    /// The bytes of an object; `nil` if there is none.
    ///
    /// - Parameter limit: The largest that is read, in bytes.
    public func bytes(
        of key: ObjectKey, limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) -> [UInt8]? {
        var bytes: [UInt8] = []
        let size = try await get(key, limit: limit, until: deadline) { bytes.append(contentsOf: $0) }
        return size == nil ? nil : bytes
    }
}

/// Some objects of a store, in the order of their keys.
public struct ObjectPage: Sendable, Hashable {
    /// An object in a list.
    public struct Entry: Sendable, Hashable {
        /// Its key.
        public let key: ObjectKey
        /// Its size in bytes.
        public let size: Int
        /// When it was put last, by the clock of the store; `nil` where that does not say so.
        public let modified: Date?

        /// Makes an entry from its parts.
        init(key: ObjectKey, size: Int, modified: Date? = nil) {
            self.key = key
            self.size = size
            self.modified = modified
        }
    }

    /// The most that a page has.
    public static let largest = 1000

    /// The objects.
    public let entries: [Entry]
    /// Behind which text the next page begins; `nil` if this is the last. It need not be a key: others may keep objects there, too.
    public let next: String?
}
