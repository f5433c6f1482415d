import Foundation
import TestSupport
import Testing

/// Numbers, and damage made of them, the same for the same seed.
struct FuzzNumbers {
    private var numbers: SplitMix64
    private let pieces: [[UInt8]]

    /// - Parameter pieces: What is put into a text to damage it.
    init(seed: UInt64, pieces: [String]) {
        numbers = SplitMix64(seed: seed)
        self.pieces =
            pieces.map { Array($0.utf8) } + [[0xFF], [0x00], [0xE3, 0x81], [0xED, 0xA0, 0x80], [0xC0, 0x80]]
    }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func below(_ limit: Int) -> Int { numbers.below(limit) }

    mutating func pick<Element>(_ values: [Element]) -> Element { values[below(values.count)] }

    /// The bytes with up to three places damaged; as they are in one of four cases.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<below(4) where !bytes.isEmpty {
            let place = below(bytes.count)
            switch below(4) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
            case 1: bytes.insert(contentsOf: pick(pieces), at: place)
            case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(8)))
            default: bytes.replaceSubrange(place..<place + 1, with: pick(pieces))
            }
        }
        return bytes
    }
}

/// Runs one reader beside its twin for some time.
enum Fuzzing {
    /// What came of one text.
    enum Round {
        case refused, same
        case different([UInt8])
    }

    /// How many texts there were, and how many of them were read.
    struct Rounds: CustomStringConvertible {
        var all = 0
        var accepted = 0

        var description: String { "\(accepted) of \(all) were read" }
    }

    /// Calls `body` again and again; a difference is recorded and ends it.
    ///
    /// KANMON_FUZZ_SECONDS says for how long, KANMON_FUZZ_SEED where to begin; half a second otherwise, and the same each time.
    static func rounds(_ pieces: [String], _ body: (inout FuzzNumbers) throws -> Round) rethrows -> Rounds {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["KANMON_FUZZ_SECONDS"].flatMap(Double.init) ?? 0.5
        let seed = environment["KANMON_FUZZ_SEED"].flatMap(UInt64.init) ?? 20_260_102
        var random = FuzzNumbers(seed: seed, pieces: pieces)
        var rounds = Rounds()
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            rounds.all += 1
            switch try body(&random) {
            case .refused: continue
            case .same: rounds.accepted += 1
            case .different(let bytes):
                Issue.record("seed \(seed), round \(rounds.all): \(String(decoding: bytes, as: UTF8.self))")
                return rounds
            }
        }
        return rounds
    }
}
