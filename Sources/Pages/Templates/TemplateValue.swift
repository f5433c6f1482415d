/// A value that a template can show.
///
/// Values that occur a thousand times on a page look up their properties themselves; all others use reflection
/// (`Reflected`).
protocol TemplateValue {
    /// The value with that name; `nil` if there is none.
    func part(named name: String) -> (any TemplateValue)?
    /// Writes its text.
    func write(to page: inout Markup)
    /// Renders a section about it.
    ///
    /// - Parameter outer: The value that it is a part of; in a section for a flag, names are looked up there.
    func render(_ template: Template, within outer: some TemplateValue, by rendering: inout Rendering)
    /// Whether its section is omitted.
    var isAbsent: Bool { get }
}

extension TemplateValue {
    func part(named name: String) -> (any TemplateValue)? { nil }

    func write(to page: inout Markup) { page.append("\(self)") }

    func render(_ template: Template, within outer: some TemplateValue, by rendering: inout Rendering) {
        rendering.render(template, of: self)
    }

    var isAbsent: Bool { false }
}

extension String: TemplateValue {
    func write(to page: inout Markup) { page.append(self) }
}

extension Int: TemplateValue {
    func write(to page: inout Markup) { page.append(String(self)) }
}

extension Bool: TemplateValue {
    func render(_ template: Template, within outer: some TemplateValue, by rendering: inout Rendering) {
        if self { rendering.render(template, of: outer) }
    }

    var isAbsent: Bool { !self }
}

extension Array: TemplateValue where Element: TemplateValue {
    func render(_ template: Template, within outer: some TemplateValue, by rendering: inout Rendering) {
        for element in self { rendering.render(template, of: element) }
    }

    var isAbsent: Bool { isEmpty }
}

/// A value whose properties are found by reflection: simple, but slow.
///
/// Each property is read once, and only if none before it has the requested name, because reading one takes far
/// longer than comparing names.
final class Reflected: TemplateValue {
    private let value: Any
    private lazy var unseen = Mirror(reflecting: value).children.makeIterator()
    private var seen: [Mirror.Child] = []

    init(_ value: Any) { self.value = value }

    func part(named name: String) -> (any TemplateValue)? {
        if let child = seen.first(where: { $0.label == name }) { return Self.shown(child.value) }
        while let child = unseen.next() {
            seen.append(child)
            if child.label == name { return Self.shown(child.value) }
        }
        return nil
    }

    func write(to page: inout Markup) { page.append("\(value)") }

    /// The value of a property; `nil` for an optional without one.
    private static func shown(_ value: Any) -> (any TemplateValue)? {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { shown($0.value) } }
        if let value = value as? any TemplateValue { return value }
        guard mirror.displayStyle == .collection else { return Reflected(value) }
        return ReflectedList(elements: mirror.children.compactMap { shown($0.value) })
    }
}

/// A list of values that use reflection.
private struct ReflectedList: TemplateValue {
    let elements: [any TemplateValue]

    func render(_ template: Template, within outer: some TemplateValue, by rendering: inout Rendering) {
        for element in elements { rendering.render(template, of: element) }
    }

    var isAbsent: Bool { elements.isEmpty }
}
