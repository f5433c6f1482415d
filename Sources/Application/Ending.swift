import Gate

/// Thrown by a command whose result is an exit status other than 0.
extension ExitStatus: Error {}

/// Thrown when a signal ended the run.
package struct SignalEnding: Error {
    /// The number of the signal.
    package let signal: Int32

    package init(signal: Int32) { self.signal = signal }
}
