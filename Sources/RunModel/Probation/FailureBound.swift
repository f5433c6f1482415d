import Foundation

/// How often a test fails at most, after it was repeated: the exact upper bound of a binomial proportion (Clopper and Pearson), one-sided, at
/// 95 %.
///
/// A test that fails more often than that would have failed more often in as many repetitions, nineteen times of twenty.
public enum FailureBound {
    /// In how many of a hundred series of repetitions the bound holds.
    public static let confidence = 95

    /// The bound as a proportion from 0 to 1.
    ///
    /// - Returns: 1 where nothing was repeated, or every repetition failed.
    public static func upper(failures: Int, of repetitions: Int) -> Double {
        guard repetitions > 0, failures >= 0, failures < repetitions else { return 1 }
        let wanted = 1 - Double(confidence) / 100
        var (low, high) = (0.0, 1.0)
        // The chance of so few failures falls as the proportion rises.
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if chance(ofAtMost: failures, of: repetitions, at: middle) > wanted { low = middle } else { high = middle }
        }
        return high
    }

    /// The bound in tenths of a percent, rounded up: 73 for 7.216 %.
    public static func permille(failures: Int, of repetitions: Int) -> Int {
        // What the search leaves open is far less than this, and must not round 95 % up to 95.1 %.
        Int((upper(failures: failures, of: repetitions) * 1000 - 0.000_001).rounded(.up))
    }

    /// The probability that at most `failures` of the repetitions fail, if each fails with a probability between 0 and
    /// 1, both excluded.
    private static func chance(ofAtMost failures: Int, of repetitions: Int, at proportion: Double) -> Double {
        let (failing, passing) = (log(proportion), log1p(-proportion))
        // The logarithm of a term, since a term may be less than any number.
        var term = Double(repetitions) * passing
        var sum = exp(term)
        for count in 0..<failures {
            term += log(Double(repetitions - count)) - log(Double(count + 1)) + failing - passing
            sum += exp(term)
        }
        return sum
    }
}
