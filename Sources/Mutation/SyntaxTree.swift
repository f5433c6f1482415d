import Foundation

/// Why the syntax of a source is not known.
enum SyntaxFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The parser printed something else than a tree.
    case notATree
    /// A range lies outside of the source.
    case outside(Int)

    /// What is wrong.
    var description: String {
        switch self {
        case .notATree: "the compiler printed no syntax tree"
        case .outside(let offset): "the syntax tree names byte \(offset), which the source does not have"
        }
    }
}

/// The functions and statements of a source, as `swiftc -frontend -dump-parse -dump-ast-format json` prints them.
///
/// The compiler's own parser always knows the language of the toolchain that builds the package. Of expressions it tells the kind and
/// no place. What stands between `#if` and `#endif` it does not tell.
struct SyntaxTree: Sendable, Hashable {
    /// A function, an initializer or an accessor with a body.
    struct Function: Sendable, Hashable {
        /// Such as `find(_:in:)`, `init(_:)` or `count`.
        var name: String
        /// From the first word to the closing brace, in bytes.
        var range: Range<Int>
        /// From the opening to the closing brace.
        var body: Range<Int>
        /// What it returns.
        var result: Result
        /// Whether its body is a single expression, whose value it returns.
        var isExpression: Bool
        /// Whether its body is a single `if` or `switch`, which may be such an expression.
        var isBranch: Bool
        /// Whether its body can be compiled into other modules, which do not know what this file alone knows.
        var isInlined: Bool
        /// Whether it has an attribute that somebody declared, which may be a result builder: a `return` switches it off.
        var mayBeBuilt: Bool
    }

    /// What a function returns, as far as a value of it can be written down.
    enum Result: Sendable, Hashable {
        case nothing
        case truth
        /// A type that has a value which these characters write.
        case literal(String)
        case other
    }

    /// A statement with conditions.
    struct Conditions: Sendable, Hashable {
        /// From its first word.
        var start: Int
        /// The first word.
        var keyword: String
        /// Where its body, or the first of them, begins.
        var body: Int
        /// For each condition, whether it is an expression, and not a pattern or a version.
        var areExpressions: [Bool]
    }

    /// A `return` with a value.
    struct Return: Sendable, Hashable {
        /// From its first word to the first byte of its last.
        var range: Range<Int>
    }

    private(set) var functions: [Function] = []
    private(set) var conditions: [Conditions] = []
    private(set) var returns: [Return] = []
    /// From the opening to the closing brace of every closure.
    private(set) var closures: [Range<Int>] = []
    /// Where the labels of cases begin, whose literals are patterns.
    private(set) var caseLabels: [Int] = []

    /// Reads what the compiler prints of a source.
    init(json: Data, source: [UInt8]) throws(SyntaxFault) {
        guard let root = (try? JSONSerialization.jsonObject(with: json)) as? Node,
            root["_kind"] as? String == "source_file"
        else { throw .notATree }
        try walk(root, Context(source: source))
        // The members of a node come in no order.
        functions.sort { $0.range.lowerBound < $1.range.lowerBound }
        conditions.sort { $0.start < $1.start }
        returns.sort { $0.range.lowerBound < $1.range.lowerBound }
    }

    private typealias Node = [String: Any]

    private struct Context {
        let source: [UInt8]
        /// The name and the type of the property or subscript whose accessors follow.
        var property: (name: String, result: Result, attributes: Set<String>) = ("", .other, [])
    }

    private mutating func walk(_ value: Any, _ surroundings: Context) throws(SyntaxFault) {
        if let list = value as? [Any] {
            for entry in list { try walk(entry, surroundings) }
        } else if let node = value as? Node {
            try enter(node, surroundings)
        }
    }

    private mutating func enter(_ node: Node, _ outer: Context) throws(SyntaxFault) {
        var surroundings = outer
        let range = try Self.range(of: node, outer.source)
        switch node["_kind"] as? String {
        case "func_decl":
            try add(node, Self.signature(of: node), node["result"].map(Self.result) ?? .nothing, range, outer)
        case "constructor_decl":
            try add(node, Self.signature(of: node), node["failable"] == nil ? .other : .literal("nil"), range, outer)
        case "accessor_decl":
            let isSetter = ["set", "willSet", "didSet"].contains { node[$0] != nil }
            let result = node["get"] != nil ? outer.property.result : isSetter ? .nothing : .other
            try add(node, outer.property.name, result, range, outer)
        case "subscript_decl":
            surroundings.property = (
                "subscript", node["element"].map(Self.result) ?? .other, Self.attributes(of: node)
            )
        case "var_decl":
            // The parser does not tell the type.
            let type = range.flatMap { Self.annotation(from: $0.lowerBound, in: outer.source) }
            surroundings.property = (
                Self.name(of: node) ?? "", type.map(Self.result(ofType:)) ?? .other, Self.attributes(of: node)
            )
        case "if_stmt": try add("if", node, body: node["then_stmt"], range, outer)
        case "guard_stmt": try add("guard", node, body: node["body"], range, outer)
        case "while_stmt": try add("while", node, body: node["body"], range, outer)
        case "return_stmt":
            if let range, node["result"] != nil, node["implicit"] == nil { returns.append(Return(range: range)) }
        case "closure_expr":
            if let body = node["body"] as? Node, let place = try Self.range(of: body, outer.source) {
                closures.append(place)
            }
        case "case_stmt":
            if let range { caseLabels.append(range.lowerBound) }
        default: break
        }
        // The value of a property is there twice.
        for (key, value) in node where key != "processed_init" { try walk(value, surroundings) }
    }

    private mutating func add(
        _ node: Node, _ name: String, _ result: Result, _ range: Range<Int>?, _ outer: Context
    ) throws(SyntaxFault) {
        guard node["implicit"] == nil, let range, let body = node["body"] as? Node,
            let place = try Self.range(of: body, outer.source)
        else { return }
        let elements = (body["elements"] as? [Node] ?? []).map { $0["_kind"] as? String ?? "" }
        guard !elements.isEmpty else { return }
        let only = elements.count == 1 ? elements[0] : ""
        let isAccessor = node["_kind"] as? String == "accessor_decl"
        let attributes = Self.attributes(of: node).union(isAccessor ? outer.property.attributes : [])
        functions.append(
            Function(
                name: name, range: range, body: place, result: result,
                isExpression: only.hasSuffix("_expr"), isBranch: ["if_stmt", "switch_stmt", "do_stmt"].contains(only),
                isInlined: !attributes.isDisjoint(with: Self.inlining), mayBeBuilt: attributes.contains("custom_attr")))
    }

    private mutating func add(
        _ keyword: String, _ node: Node, body: Any?, _ range: Range<Int>?, _ outer: Context
    ) throws(SyntaxFault) {
        guard let range, let body = body as? Node, let place = try Self.range(of: body, outer.source),
            let list = node["conditions"] as? [Node]
        else { return }
        conditions.append(
            Conditions(
                start: range.lowerBound, keyword: keyword, body: place.lowerBound,
                areExpressions: list.map { ($0["_kind"] as? String ?? "").hasSuffix("_expr") }))
    }

    private static let inlining: Set<String> = [
        "inlinable_attr", "transparent_attr", "always_emit_into_client_attr", "back_deployed_attr",
    ]

    private static func attributes(of node: Node) -> Set<String> {
        Set((node["attrs"] as? [Node] ?? []).compactMap { $0["_kind"] as? String })
    }

    /// From the first byte to the first byte of the last token, which a body's closing brace is alone.
    private static func range(of node: Node, _ source: [UInt8]) throws(SyntaxFault) -> Range<Int>? {
        guard let place = node["range"] as? Node, let start = place["start"] as? Int,
            let end = place["end"] as? Int, start >= 0, start <= end
        else { return nil }
        guard end < source.count else { throw .outside(end) }
        return start..<end + 1
    }

    private static func name(of node: Node) -> String? {
        let base = (node["name"] as? Node)?["base_name"] as? Node
        return base?["name"] as? String ?? base?["special"] as? String
    }

    /// Such as `find(_:in:)`.
    private static func signature(of node: Node) -> String {
        let labels = (node["name"] as? Node)?["args"] as? [String] ?? []
        return "\(name(of: node) ?? "")(\(labels.map { "\($0.isEmpty ? "_" : $0):" }.joined()))"
    }

    /// The type that stands behind the name of a property, before its accessors.
    private static func annotation(from name: Int, in source: [UInt8]) -> String? {
        guard let brace = source[name...].firstIndex(of: UInt8(ascii: "{")),
            let colon = source[name..<brace].firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let type = String(decoding: source[(colon + 1)..<brace], as: UTF8.self)
        return type.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func result(ofType text: String) -> Result {
        if text.hasSuffix("?") { return .literal("nil") }
        if text.hasPrefix("["), text.hasSuffix("]") {
            // Of a dictionary in an array the outer brackets count.
            var depth = 0
            for character in text {
                switch character {
                case "[", "(", "<": depth += 1
                case "]", ")", ">": depth -= 1
                case ":" where depth == 1: return .literal("[:]")
                default: break
                }
            }
            return .literal("[]")
        }
        return result(ofTypeNamed: text.hasPrefix("Set<") ? "Set" : text)
    }

    private static func result(ofTypeNamed name: String) -> Result {
        switch name {
        case "Void", "()": .nothing
        case "Bool": .truth
        case "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Double", "Float":
            .literal("0")
        case "String", "Substring": .literal("\"\"")
        case "Set": .literal("[]")
        default: .other
        }
    }

    private static func result(_ type: Any) -> Result {
        guard let type = type as? Node else { return .other }
        switch type["_kind"] as? String {
        case "type_optional": return .literal("nil")
        case "type_array": return .literal("[]")
        case "type_dictionary": return .literal("[:]")
        case "type_tuple": return (type["elements"] as? [Any] ?? []).isEmpty ? .nothing : .other
        case "type_unqualified_ident": return result(ofTypeNamed: type["id"] as? String ?? "")
        default: return .other
        }
    }
}
