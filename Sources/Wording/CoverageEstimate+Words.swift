public import Gate
import RunModel

extension CoverageEstimate {
    /// The estimate in a sentence.
    public var sentence: String {
        "About \(Figures.percent(lines)) of lines (\(Figures.tally(lines))) with all tests, estimated from "
            + "\(Figures.counted(executed, "test")) of this run and what "
            + "\(Figures.counted(deselected, "deselected test")) executed in run \(base.short); "
            + "no floor is judged by it."
    }
}
