import RunModel

/// The tests of Swift Testing that a process began, by its event stream, and whether they failed there.
package struct MappedTests {
    /// Each test that began, as the stream names it.
    package let tests: [(name: String, hasFailed: Bool)]

    /// Reads a stream, which may be cut off; of one that is damaged nothing is known.
    package init(_ bytes: [UInt8]) {
        let stream = try? EventStream.read(bytes, file: "events")
        tests = (stream?.functions ?? []).filter { !$0.executions.isEmpty || $0.isSkipped }.map { function in
            (function.id.text, function.executions.contains { $0.issues.contains(where: \.isFailure) })
        }
    }
}
