import Gate
import RunModel

/// The form that keeps a list to some of its entries: to the tests of one tag of Swift Testing or of one owner, or to one value. It leads
/// to an address that can be bookmarked.
struct ListForm: Sendable {
    /// A value that the address has besides what is requested.
    struct Field: Sendable {
        let name: String
        let value: String
    }

    /// A text to enter.
    struct Text: Sendable {
        let label: String
        let name: String
        let value: String
    }

    /// One value of several.
    struct Choice: Sendable {
        let label: String
        let name: String
        let options: [Option]
    }

    /// A value to choose.
    struct Option: Sendable {
        let value: String
        let words: String
        let isSelected: Bool
    }

    let action: String
    /// What is kept.
    let fields: [Field]
    let texts: [Text]
    let choice: Choice?
    /// The whole list; `nil` if that is shown.
    let clear: String?
    /// The tests of all lists and projects with the tag.
    let search: Link?

    /// - Parameters:
    ///   - tag: The tag to which the list is kept now.
    ///   - hasTags: Whether a tag can be requested.
    ///   - owner: The owner to whose tests the list is kept now.
    ///   - hasOwners: Whether an owner of tests can be requested.
    ///   - kept: What else the list is kept to now.
    ///   - filter: What else it can be kept to.
    ///   - name: The name and the value that tell which list it is.
    ///   - order: The order that is kept.
    ///   - route: The list with a tag or without one, kept to something or to nothing.
    /// - Returns: `nil` where nothing can be requested, and where there is nobody to ask, as in a static report.
    init?(
        tag: String? = nil, hasTags: Bool = false, owner: String? = nil, hasOwners: Bool = false,
        kept: String? = nil, by filter: ListFilter? = nil,
        of name: (name: String, value: String)? = nil, _ order: ListOrder?, links: Links,
        route: (_ tag: String?, _ kept: String?) -> Route
    ) {
        guard let address = links.find(route("-", "-")) else { return nil }
        action = String(address.prefix { $0 != "?" })
        fields =
            (name.map { [Field(name: $0.name, value: $0.value)] } ?? [])
            + (order.map { [Field(name: "sort", value: $0.key.rawValue), Field(name: "order", value: $0.direction)] }
                ?? [])
        var texts = hasTags || tag != nil ? [Text(label: "Tag", name: "tag", value: tag ?? "")] : []
        if hasOwners || owner != nil { texts.append(Text(label: "Owner", name: "owner", value: owner ?? "")) }
        choice = filter.flatMap { Choice($0, kept) }
        if let filter, choice == nil {
            texts.append(Text(label: filter.label, name: filter.key.rawValue, value: kept ?? ""))
        }
        guard !texts.isEmpty || choice != nil else { return nil }
        self.texts = texts
        clear = tag == nil && owner == nil && kept == nil ? nil : links.href(route(nil, nil))
        search = tag.flatMap { tag in links.find(.search(tag)).map { Link("Search everywhere", $0) } }
    }
}

extension ListForm.Choice {
    /// `nil` for what is a text.
    fileprivate init?(_ filter: ListFilter, _ kept: String?) {
        guard !filter.choices.isEmpty else { return nil }
        label = filter.label
        name = filter.key.rawValue
        options =
            [ListForm.Option(value: "", words: "any", isSelected: kept == nil)]
            + filter.choices.map { choice in
                ListForm.Option(
                    value: choice.value, words: choice.words,
                    isSelected: kept.map { Name($0) == Name(choice.value) } ?? false)
            }
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
