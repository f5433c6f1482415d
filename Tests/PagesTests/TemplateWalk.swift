import Foundation
import Pages
import Web

/// Goes through a template as Mustache would and notes every name that no value answers to.
///
/// Mustache renders an unknown name as nothing, so that a misspelled one would go unseen.
struct TemplateWalk {
    indirect enum Node {
        case value(String)
        case section(String, [Node])
        case inverted(String, [Node])
        case partial(String)
        case block(String, [Node])
        case inherit(String, [Node])
    }

    private(set) var unknown: Set<String> = []
    /// Template and tag of everything that was reached.
    private(set) var reached: Set<String> = []
    private let templates: [String: [Node]]

    init() {
        var templates: [String: [Node]] = [:]
        for file in WebFile.allCases {
            guard let name = file.templateName else { continue }
            var tags = TemplateTests.tags(String(decoding: file.embedded, as: UTF8.self))[...]
            templates[name] = Self.nodes(&tags)
        }
        self.templates = templates
    }

    /// Template and tag of everything there is to reach.
    var all: Set<String> {
        Set(templates.flatMap { name, nodes in Self.names(nodes).map { "\(name) \($0)" } })
    }

    mutating func walk(_ page: some Page) {
        guard let name = type(of: page).template.templateName else { return }
        walk(templates[name] ?? [], of: name, page, blocks: [:])
    }

    private static func nodes(_ tags: inout ArraySlice<String>) -> [Node] {
        var nodes: [Node] = []
        while let tag = tags.popFirst(), tag.first != "/" {
            let name = String(tag.dropFirst())
            switch tag.first {
            case "#": nodes.append(.section(name, Self.nodes(&tags)))
            case "^": nodes.append(.inverted(name, Self.nodes(&tags)))
            case ">": nodes.append(.partial(name))
            case "$": nodes.append(.block(name, Self.nodes(&tags)))
            case "<": nodes.append(.inherit(name, Self.nodes(&tags)))
            default: nodes.append(.value(tag))
            }
        }
        return nodes
    }

    private static func names(_ nodes: [Node]) -> [String] {
        nodes.flatMap { node -> [String] in
            switch node {
            case .value(let name): [name]
            case .section(let name, let inner), .inverted(let name, let inner): [name] + names(inner)
            case .block(_, let inner), .inherit(_, let inner): names(inner)
            case .partial(let name): [">" + name]
            }
        }
    }

    private mutating func walk(
        _ nodes: [Node],
        of template: String,
        _ object: Any,
        blocks: [String: (String, [Node])]
    ) {
        for node in nodes {
            switch node {
            case .value(let name): _ = resolve(name, of: template, object)
            case .section(let name, let inner):
                for value in items(resolve(name, of: template, object), object) {
                    walk(inner, of: template, value, blocks: blocks)
                }
            case .inverted(let name, let inner):
                if items(resolve(name, of: template, object), object).isEmpty {
                    walk(inner, of: template, object, blocks: blocks)
                }
            case .partial(let name):
                reached.insert("\(template) >\(name)")
                walk(templates[name] ?? [.value("no template \(name)")], of: name, object, blocks: blocks)
            case .block(let name, let standard):
                let (owner, inner) = blocks[name] ?? (template, standard)
                walk(inner, of: owner, object, blocks: blocks)
            case .inherit(let name, let inner):
                var blocks = blocks
                for case .block(let block, let content) in inner { blocks[block] = (template, content) }
                walk(templates[name] ?? [.value("no template \(name)")], of: name, object, blocks: blocks)
            }
        }
    }

    private mutating func resolve(_ name: String, of template: String, _ object: Any) -> Any? {
        reached.insert("\(template) \(name)")
        var value: Any? = object
        for label in name.split(separator: ".") {
            guard let current = value else { return nil }
            guard let child = Mirror(reflecting: current).children.first(where: { $0.label == String(label) }) else {
                unknown.insert("\(template) \(name)")
                return nil
            }
            value = unwrap(child.value)
        }
        return value
    }

    private func unwrap(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }

    private func items(_ value: Any?, _ object: Any) -> [Any] {
        switch value {
        case nil: []
        // The first few are enough: the rest are values of the same type.
        case let list as [Any]: Array(list.prefix(40))
        case let flag as Bool: flag ? [object] : []
        case let value?: [value]
        }
    }
}
