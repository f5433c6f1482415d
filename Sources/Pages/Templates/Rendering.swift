/// The rendering of one page.
struct Rendering {
    /// What was rendered so far.
    private(set) var page = Markup()
    private let templates: [Template]
    /// What is put into the blocks of the template that is rendered.
    private var blocks: [String: Template] = [:]

    /// - Parameter room: About how many bytes there will be.
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
                // Whoever asks first for a template decides what is in its blocks.
                if !inner.isEmpty { blocks.merge(inner) { outer, _ in outer } }
                render(templates[place], of: value)
                blocks = outer
            case .block(let name, let standard): render(blocks[name] ?? standard, of: value)
            }
        }
    }

    private func find(_ names: [String], in value: some TemplateValue) -> (any TemplateValue)? {
        guard let first = names.first else { return value }
        // Asked itself, not in a box: a value that stands on a page a thousand times would be copied for every name.
        var found = value.part(named: first)
        for name in names.dropFirst() { found = found?.part(named: name) }
        return found
    }
}
