import Foundation
import Gate
import Testing
import Web

@testable import Pages

/// The colors of the style sheet hold the contrast of WCAG 2.2, level AA, by day and by night.
@Suite struct PaletteTests {
    /// The custom properties of each `:root` with colors: first by day, then by night.
    static func palettes() throws -> [[String: [Double]]] {
        let css = String(decoding: WebFile.stylesheet.embedded, as: UTF8.self)
        return css.components(separatedBy: ":root {").dropFirst().prefix(2).map { block in
            var colors: [String: [Double]] = [:]
            for line in block.components(separatedBy: "}")[0].split(separator: "\n") {
                let parts = line.trimmingCharacters(in: [" ", ";"]).components(separatedBy: ": #")
                guard parts.count == 2, let value = UInt32(parts[1], radix: 16) else { continue }
                colors[parts[0]] = [16, 8, 0].map { Double(value >> $0 & 0xFF) / 255 }
            }
            return colors
        }
    }

    static func luminance(_ color: [Double]) -> Double {
        let linear = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    static func contrast(_ one: [Double], _ other: [Double]) -> Double {
        let (left, right) = (luminance(one), luminance(other))
        return (max(left, right) + 0.05) / (min(left, right) + 0.05)
    }

    @Test func `black on white has the contrast that the definition says`() {
        #expect(Self.contrast([0, 0, 0], [1, 1, 1]) == 21)
    }

    @Test(arguments: [0, 1])
    func `text reads on every ground it stands on`(scheme: Int) throws {
        let colors = try #require(try Self.palettes().dropFirst(scheme).first)
        let grounds = ["--paper", "--panel", "--faint", "--passed-tint", "--failed-tint", "--undecided-tint"]
        for text in ["--ink", "--soft", "--link", "--failed", "--passed", "--undecided"] {
            for ground in grounds {
                let ratio = Self.contrast(try #require(colors[text]), try #require(colors[ground]))
                #expect(ratio >= 4.5, "\(text) on \(ground): \(ratio)")
            }
        }
    }

    @Test(arguments: [Decision.passed, .failed, .undecided])
    func `a badge has the colors of the style sheet by day`(decision: Decision) {
        let css = String(decoding: WebFile.stylesheet.embedded, as: UTF8.self)
        let light = css.components(separatedBy: ":root {").dropFirst().first?.components(separatedBy: "}")[0]
        #expect(light?.contains("--\(decision.rawValue): \(Badge.color(of: decision));") == true)
    }

    @Test(arguments: [0, 1])
    func `what a bar says can be told apart from its ground`(scheme: Int) throws {
        let colors = try #require(try Self.palettes().dropFirst(scheme).first)
        for bar in ["--bar-covered", "--bar-under", "--bar-build", "--bar-test"] {
            let ratio = Self.contrast(try #require(colors[bar]), try #require(colors["--panel"]))
            #expect(ratio >= 3, "\(bar): \(ratio)")
        }
    }
}
