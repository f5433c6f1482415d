import Gate
import RunModel

/// The form that keeps a list to the tests of one tag of Swift Testing; it leads to an address that can be bookmarked.
struct TagFilter: Sendable {
    /// A value that the address has besides the tag.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    let action: String
    /// What is kept.
    let fields: [Field]
    let tag: String
    /// The list without a tag; `nil` if it has no filter.
    let clear: String?
    /// The tests of all lists and projects with the tag.
    let search: Link?

    /// - Parameters:
    ///   - tag: The tag by which the list is filtered now.
    ///   - name: The name and the value that tell which list it is.
    ///   - order: The order that is kept.
    ///   - route: The list with a tag or without one.
    /// - Returns: `nil` where there is nobody to filter a list, as in a static report.
    init?(
        _ tag: String?, of name: (name: String, value: String), _ order: ListOrder?, links: Links,
        route: (String?) -> Route
    ) {
        guard let address = links.find(route("-")) else { return nil }
        action = String(address.prefix { $0 != "?" })
        fields =
            [Field(name: name.name, value: name.value)]
            + (order.map { [Field(name: "sort", value: $0.key.rawValue), Field(name: "order", value: $0.direction)] }
                ?? [])
        self.tag = tag ?? ""
        clear = tag == nil ? nil : links.href(route(nil))
        search = tag.flatMap { tag in links.find(.search(tag)).map { Link("Search everywhere", $0) } }
    }
}

/// A tag of a test.
struct TagMark: Sendable, TemplateValue {
    /// Other tests that have it, where there is a list of them.
    let link: Link?
    let plainName: BreakableText?

    init(_ tag: String, _ href: String?) {
        link = href.map { Link(tag, $0) }
        plainName = href == nil ? BreakableText(tag) : nil
    }

    func part(named name: String) -> (any TemplateValue)? {
        switch name {
        case "link": link
        case "plainName": plainName
        default: nil
        }
    }
}
