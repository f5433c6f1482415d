/// The rendering of one page.
struct Rendering {
    /// The output so far.
    private(set) var page = Markup()
    private let templates: [Template]
    /// The contents of the blocks of the current template.
    private var blocks: [String: Template] = [:]

    /// - Parameter room: The expected number of bytes.
    init(templates: [Template], room: Int = 0) {
        self.templates = templates
        page.reserve(room)
    }

    /// Renders a template about a value.
    mutating func render(_ template: Template, of value: some TemplateValue) {
        for piece in template.pieces {
            switch piece {
            case .text(let bytes): page.append(trusted: bytes)
            case .value(let names): find(names, in: value)?.write(to: &page)
            case .section(let names, let template):
                find(names, in: value)?.render(template, within: value, by: &self)
            case .inverted(let names, let template):
                if find(names, in: value)?.isAbsent ?? true { render(template, of: value) }
            case .partial(let place, let inner):
                let outer = blocks
                // The outermost template decides the contents of the blocks.
                if !inner.isEmpty { blocks.merge(inner) { outer, _ in outer } }
                render(templates[place], of: value)
                blocks = outer
            case .block(let name, let standard): render(blocks[name] ?? standard, of: value)
            }
        }
    }

    private func find(_ names: [String], in value: some TemplateValue) -> (any TemplateValue)? {
        guard let first = names.first else { return value }
        // Called on the concrete type: an existential would copy the value for every name.
        var found = value.part(named: first)
        for name in names.dropFirst() { found = found?.part(named: name) }
        return found
    }
}
