import Evidence
import Foundation
import RunModel
import Synchronization

@testable import Objects

/// A store of objects in memory. It notes every call, and fails where it is told to.
final class MemoryStore: ObjectStore {
    /// Says by a call, and by how many there were, whether it fails.
    typealias Fault = @Sendable (_ call: String, _ count: Int) -> ObjectError?

    /// What happens before a call is done, by the call.
    typealias Meanwhile = @Sendable (_ call: String) async -> Void

    private struct State {
        var objects: [ObjectKey: [UInt8]] = [:]
        var modified: [ObjectKey: Date] = [:]
        var clock: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_780_000_000) }
        var calls: [String] = []
        var hidden: Set<String> = []
        var fault: Fault = { _, _ in nil }
        var meanwhile: Meanwhile?
    }

    private let state = Mutex(State())

    /// The calls so far, such as `put a/b`.
    var calls: [String] { state.withLock { $0.calls } }
    /// The keys of all objects, in order.
    var keys: [String] { state.withLock { $0.objects.keys.sorted() }.map(\.text) }

    /// Forgets the calls so far.
    func forgetCalls() { state.withLock { $0.calls = [] } }

    /// Which calls fail from now on, and how.
    func fail(_ fault: @escaping Fault) { state.withLock { $0.fault = fault } }

    /// By which clock it notes when an object was put.
    func setClock(_ clock: @escaping @Sendable () -> Date) { state.withLock { $0.clock = clock } }

    /// What others do before each call. Their own calls are done at once.
    func meanwhile(_ work: Meanwhile?) { state.withLock { $0.meanwhile = work } }

    /// Lists do not have these objects yet.
    func hide(_ keys: Set<String>) { state.withLock { $0.hidden = keys } }

    /// The bytes under a key.
    subscript(key: String) -> [UInt8]? {
        get { ObjectKey(key).flatMap { key in state.withLock { $0.objects[key] } } }
        set {
            guard let key = ObjectKey(key) else { return }
            state.withLock { state in
                state.objects[key] = newValue
                state.modified[key] = newValue.map { _ in state.clock() }
            }
        }
    }

    /// Whether a call is one of those that others do meanwhile. Calls that go on beside them are told of.
    @TaskLocal private static var isMeanwhile = false

    private func note(_ call: String) async throws(ObjectError) {
        if !Self.isMeanwhile, let meanwhile = state.withLock({ $0.meanwhile }) {
            await Self.$isMeanwhile.withValue(true) { await meanwhile(call) }
        }
        let error = state.withLock { state in
            state.calls.append(call)
            return state.fault(call, state.calls.count)
        }
        if let error { throw error }
    }

    func put(
        _ content: ObjectContent, at key: ObjectKey, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) {
        try await note("put \(key)")
        var read: [UInt8] = []
        do throws(EvidenceError) {
            while read.count < content.size {
                let piece = try content.piece(from: read.count)
                read += piece
            }
        } catch {
            throw ObjectError(.unreadable, "\(error)")
        }
        let bytes = read
        guard Digest.sha256(bytes) == content.sha256 else { throw ObjectError(.unreadable, "its hash is another") }
        state.withLock { state in
            state.objects[key] = bytes
            state.modified[key] = state.clock()
        }
    }

    func get(
        _ key: ObjectKey, limit: Int, until deadline: ContinuousClock.Instant,
        _ take: (UnsafeRawBufferPointer) throws(ObjectError) -> Void
    ) async throws(ObjectError) -> Int? {
        try await note("get \(key)")
        guard let bytes = state.withLock({ $0.objects[key] }) else { return nil }
        guard bytes.count <= limit else { throw ObjectError(.tooLarge, "\(bytes.count) bytes") }
        try bytes.withUnsafeBufferPointer { bytes throws(ObjectError) in try take(UnsafeRawBufferPointer(bytes)) }
        return bytes.count
    }

    func head(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) -> Int? {
        try await note("head \(key)")
        return state.withLock { $0.objects[key]?.count }
    }

    func list(
        in folder: ObjectKey?, after: String?, limit: Int, until deadline: ContinuousClock.Instant
    ) async throws(ObjectError) -> ObjectPage {
        try await note("list \(folder?.text ?? "")")
        let beginning = folder.map { "\($0)/" } ?? ""
        let last = after.map { Name($0) }
        let (objects, modified, hidden) = state.withLock { ($0.objects, $0.modified, $0.hidden) }
        let entries = objects.filter { key, _ in
            key.text.utf8.starts(with: beginning.utf8) && !hidden.contains(key.text)
                && (last.map { $0 < key.name } ?? true)
        }
        .map { ObjectPage.Entry(key: $0.key, size: $0.value.count, modified: modified[$0.key]) }
        .sorted { $0.key < $1.key }
        let page = Array(entries.prefix(limit))
        return ObjectPage(entries: page, next: entries.count > limit ? page.last?.key.text : nil)
    }

    func delete(_ key: ObjectKey, until deadline: ContinuousClock.Instant) async throws(ObjectError) {
        try await note("delete \(key)")
        state.withLock { $0.objects[key] = nil }
    }
}
