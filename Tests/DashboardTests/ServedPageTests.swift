import Pages
import RunModel
import Testing

@testable import Dashboard

@Suite struct ServedPageTests {
    @Test func `every page that has data is described, and no other`() {
        let described = Set(ServedPages.described.map { ObjectIdentifier($0) })
        #expect(described.count == ServedPages.described.count)
        for route in ResponderTests.routes {
            let kind = type(of: route.served)
            #expect(described.contains(ObjectIdentifier(kind)) == !kind.description.isEmpty, "\(route.href)")
        }
    }

    @Test func `what is open to everybody is the same for everybody`() {
        let open = ResponderTests.routes.filter { $0.served.rights == .open }
        #expect(Set(open) == [.stylesheet, .icon, .script, .health])
    }

    @Test func `a page needs the rights of the project and of all runs in its address`() {
        let (first, second) = (RunID(milliseconds: 1, random: (1, 1)), RunID(milliseconds: 2, random: (2, 2)))
        #expect(Route.compare(first, second).served.rights == .runs([first, second]))
        #expect(Route.runs().served.rights == .anyReader)
        #expect(Route.runs(before: first).served.rights == .runs([first]))
        #expect(Route.runs(project: "p", before: first).served.rights == .projectAndRuns("p", [first]))
        for list in ProjectList.allCases { #expect(Route.list(list, project: "p").served.rights == .project("p")) }
    }
}
