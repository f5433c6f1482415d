import Gate
import RunModel
import Wording

/// The state of a project's default branch, as a picture for a README.
public struct Badge: Sendable {
    /// The picture, as SVG without script or style.
    public let svg: String
    /// Its text.
    public let message: String
    /// Its color, as `#rrggbb`.
    public let color: String

    /// Draws the badge of a project.
    public init(_ state: ProjectState) {
        let decision = state.latest?.decision
        // A branch that is used instead of the default one.
        let allowance = decision == .passed ? state.latest?.allowanceWords : nil
        let coverage = state.latest?.lines.map { ", \(Figures.percent($0))" } ?? ""
        message =
            (allowance.map { "~ \($0)" } ?? decision.map { "\($0.sign) \($0.word.lowercased())" }
                ?? (state.runs == 0 ? "no run" : "no verdict")) + coverage
        color = Self.color(of: allowance == nil ? decision : .undecided)
        let label = Markup.escaped("kanmon: \(message)")
        let text = Markup.escaped(message)
        let width = 58 + 7 * message.count + 12
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="20" role="img" aria-label="\(label)">\
            <title>\(label)</title><rect width="\(width)" height="20" rx="3" fill="#3b3935"/>\
            <rect x="58" width="\(width - 58)" height="20" rx="3" fill="\(color)"/>\
            <g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
            <text x="7" y="14">kanmon</text><text x="65" y="14">\(text)</text></g></svg>

            """
    }

    /// The color of a decision; a picture in another page has no style sheet, so the colors are repeated here.
    static func color(of decision: Decision?) -> String {
        switch decision {
        case .passed: "#1a6b50"
        case .failed: "#ad3218"
        case .undecided: "#7d5300"
        case nil: "#66625a"
        }
    }
}
