import Foundation
import RunModel

/// The numbers that outcomes are stored as; 0 takes no space in a row.
extension Outcome {
    var storedCode: Int { number }

    init(storedCode: Int64) throws {
        guard Self.byCode.indices.contains(Int(storedCode)), Self.byCode[Int(storedCode)].storedCode == storedCode
        else {
            throw UnreadableContent("unknown outcome \(storedCode)")
        }
        self = Self.byCode[Int(storedCode)]
    }

    private static let byCode = allCases.sorted { $0.storedCode < $1.storedCode }
}

/// The frozen numbers that libraries are stored as.
extension TestingLibrary {
    var storedCode: Int {
        switch self {
        case .xctest: 0
        case .swiftTesting: 1
        case .foreign: 2
        }
    }

    init(storedCode: Int64) throws {
        guard Self.byCode.indices.contains(Int(storedCode)), Self.byCode[Int(storedCode)].storedCode == storedCode
        else {
            throw UnreadableContent("unknown testing library \(storedCode)")
        }
        self = Self.byCode[Int(storedCode)]
    }

    private static let byCode = allCases.sorted { $0.storedCode < $1.storedCode }
}

extension Duration {
    /// Whole nanoseconds, rounded toward zero; `nil` beyond 292 years.
    var nanoseconds: Int64? {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return nil }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? nil : sum
    }
}

extension Date {
    /// Whole nanoseconds since 1970; `nil` beyond the years 1678 to 2262.
    ///
    /// A `Date` today has steps of about a hundred nanoseconds, so the conversion back gives the same date.
    var nanosecondsSince1970: Int64? {
        let reference = timeIntervalSinceReferenceDate
        guard reference.isFinite, abs(reference) < 8_000_000_000 else { return nil }
        let seconds = reference.rounded(.down)
        let fraction = Int64(((reference - seconds) * 1e9).rounded())
        return (Int64(seconds) + Self.referenceSecondsSince1970) * 1_000_000_000 + fraction
    }

    init(nanosecondsSince1970 nanoseconds: Int64) {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = Double(quotient - Self.referenceSecondsSince1970)
        self.init(timeIntervalSinceReferenceDate: seconds + Double(remainder) / 1e9)
    }

    private static var referenceSecondsSince1970: Int64 { Int64(Date.timeIntervalBetween1970AndReferenceDate) }
}

/// Values that are stored as JSON with sorted keys, so that equal values are equal bytes.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw UnreadableContent("a stored \(type) cannot be read: \(error)")
        }
    }
}
