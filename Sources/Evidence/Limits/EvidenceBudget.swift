package import RunModel

/// How much memory the evidence of one run may take, so that a hostile file is refused before it fills the memory.
///
/// Readers count what they keep by what it takes at its peak on the way to the store, copies in other rooms included. All
/// readers of a run share one budget. That the process as a whole stays below 256 MiB is what `scripts/check-floods` measures.
package final class EvidenceBudget {
    /// What one thing of a kind takes, in bytes, without its texts.
    package enum Item: Int {
        /// A line of a file's coverage, or a part of one.
        case line = 18
        /// A region of a function.
        case region = 26
        /// A suite, a source file's name, an argument of a test.
        case name = 96
        /// A failure, a message, a frame of a stack.
        case message = 160
        /// A function in an export, or the name of one.
        case function = 250
        /// A test in a report of another runner.
        case foreignTest = 300
        /// A source file.
        case entry = 500
        /// An execution of a test in records that are compared with others; a failure that belongs to no test.
        case execution = 800
        /// A test in a list, with the result that it has in the end.
        case listedTest = 1700
        /// A test in an event stream.
        case streamedTest = 1900
    }

    /// What a run may take unless something else is said.
    static let limit = 172 << 20

    /// What is read again for one page of a run may take, beside what the store has: 64 MiB.
    package static let ofPage = 64 << 20

    private let limit: Int
    /// How many bytes were counted.
    package private(set) var used = 0

    package init(_ limit: Int = EvidenceBudget.limit) { self.limit = limit }

    /// Whether more was counted than there is.
    package var isSpent: Bool { used > limit }

    /// Why a file is refused that holds more; a lower-case fragment.
    package var reason: String { "more than is kept of one run, \(limit >> 20) MiB" }

    package func count(_ item: Item, _ times: Int = 1) { used += item.rawValue * times }

    /// A text of up to 15 bytes takes no memory beside its place.
    package func count(_ text: String) {
        let length = text.utf8.count
        if length > 15 { used += length + 48 }
    }

    package func count(_ id: TestID) {
        count(id.suite)
        count(id.name)
    }

    package func count(bytes: Int) { used += bytes }

    /// Forgets what was counted beyond `used`: it was not kept after all.
    package func goBack(to used: Int) { self.used = used }

    /// Refuses a file that held more than there was room for.
    ///
    /// - Throws: `EvidenceError.tooLarge`.
    package func check(_ file: String) throws(EvidenceError) {
        if isSpent { throw .tooLarge(file: file, reason: reason) }
    }
}
