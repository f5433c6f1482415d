/// The properties that decide how fast a machine is: durations are compared only between runs on the same class.
public struct MachineClass: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name that the processor reports, such as `AMD EPYC 7763 64-Core Processor`.
    public let processor: String
    /// How many of its cores the run was allowed to use.
    public let cores: Int

    package init(processor: String, cores: Int) { (self.processor, self.cores) = (processor, cores) }

    /// `AMD EPYC 7763 64-Core Processor, 2 cores`.
    public var description: String { "\(processor), \(cores) \(cores == 1 ? "core" : "cores")" }
}
