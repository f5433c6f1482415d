import Evidence
import Foundation
import HTTPTypes
import Pages
import RunModel
import Storage
import Web

extension DashboardResponder {
    /// The tag of an answer that is not made yet; `nil` if it is unknown. It changes with everything that the answer depends on:
    /// the store, the runs in progress, the minute (for relative times), and the requested address and host.
    ///
    /// That is more than a reader of some projects may know: for them it is unknown.
    func tag(of address: Address, _ target: String, _ authority: String) async -> String? {
        guard webRoot == .embedded, reader.seesEverything else { return nil }
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(authority)
        hasher.combine(target)
        hasher.combine(reader.token)
        if !address.route.served.isFixed {
            // The query that follows reports errors of the store.
            guard let version = try? store.version() else { return nil }
            hasher.combine(version)
            hasher.combine(live.lastChange)
            hasher.combine(Int(now().timeIntervalSince1970 / 60))
        }
        return "\"\(String(UInt(bitPattern: hasher.finalize()), radix: 16))\""
    }

    /// The name under which the answer to an address is kept for those who need no credential; `nil` for what is not kept. It has all
    /// that the answer depends on besides the store.
    func keptName(_ address: Address, _ request: HTTPRequest) -> Name? {
        guard !reader.isKnown else { return nil }
        return switch address.route.served.caching {
        case .never: nil
        case .byAddress: Name(address.href)
        case .byAddressAndRoot: Name("\(root(of: request)) \(address.href)")
        }
    }

    /// How the addresses begin that the dashboard has for whoever asks: `https://ci.example`.
    func root(of request: HTTPRequest) -> String { baseURL?.root ?? "http://" + (request.authority ?? "localhost") }

    /// The tag of an answer by its bytes: it tells nothing that these do not tell.
    func tag(of answer: Answer) -> String? {
        guard answer.stream == nil else { return nil }
        var hasher = Hasher()
        hasher.combine(seed)
        hasher.combine(answer.contentType)
        hasher.combine(answer.body)
        return "\"\(String(UInt(bitPattern: hasher.finalize()), radix: 16))\""
    }

    /// Pages are about private code: only the reader's own browser may cache them, and it must revalidate.
    func cacheControl(_ address: Address) -> String {
        if reader.isKnown { return "private, no-cache" }
        return address.isData || address.route.served.isShared ? "no-cache" : "private, no-cache"
    }
}

extension HTTPRequest {
    /// Whether the client has the answer with this tag.
    func knows(_ tag: String) -> Bool {
        headerFields[values: .ifNoneMatch].contains { known in
            known.split { $0 == "," || $0 == " " || $0 == "\t" }.contains { $0 == tag || $0 == "W/\(tag)" }
        }
    }

    /// Whether the client has some answer, whichever it is; it says nothing of an address that has none.
    var knowsAny: Bool { headerFields[values: .ifNoneMatch].contains { $0.trimmingPrefix(" ").hasPrefix("*") } }
}
