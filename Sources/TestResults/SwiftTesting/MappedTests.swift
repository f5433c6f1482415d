import Evidence
import RunModel

/// The tests of Swift Testing that a process began, by its event stream.
package struct MappedTests {
    /// A test that began.
    package struct Test: Sendable {
        /// As the stream names it.
        package let name: String
        /// Whether it failed there.
        package let hasFailed: Bool
        /// How long it took; `nil` if it did not end.
        package let duration: Duration?
    }

    /// Each test that began.
    package let tests: [Test]

    /// Reads a stream, which may be cut off; of one that is damaged nothing is known.
    package init(_ bytes: [UInt8]) {
        let stream = try? EventStream.read(bytes, file: "events")
        tests = (stream?.functions ?? []).filter { !$0.executions.isEmpty || $0.isSkipped }.map { function in
            let times = function.executions.map { execution in execution.end.map { $0 - execution.start } }
            let duration =
                times.contains(nil) ? nil : StrictNumber.duration(seconds: times.compactMap(\.self).reduce(0, +))
            return Test(
                name: function.id.text,
                hasFailed: function.executions.contains { $0.issues.contains(where: \.isFailure) },
                duration: duration.flatMap { $0 <= RunManifest.longestDuration ? $0 : nil })
        }
    }
}
