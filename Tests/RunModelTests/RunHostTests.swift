import RunModel
import Testing

@Suite struct RunHostTests {
    @Test(arguments: ["https://ci.example.com/job/kit/12/", "HTTP://10.0.0.1:8080/x?y=1#z", "http://[::1]/"])
    func `an address of a page may become a link`(_ text: String) {
        #expect(RunHost.isPlainAddress(text))
        #expect(RunHost.Build(url: text, job: nil, node: nil)?.link == text)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "javascript:alert(1)", "data:text/html,x", "//ci.example.com", "ftp://ci/",
        "https://user:secret@ci/", "https://ci/ x", "https://ci/\n", "https://ci/\u{1B}[2J", "https://ci/<script>",
        "https://ci/\"", "https://ci/\u{202E}", "https://cï/",
    ])
    func `what is no plain address becomes no link`(_ text: String) {
        #expect(!RunHost.isPlainAddress(text))
        #expect(RunHost.Build(url: text, job: nil, node: nil)?.link == nil)
    }

    @Test func `one line names the machine, the job and the page`() {
        let build = RunHost.Build(url: "https://ci/1/", job: "kit/main", node: "n1")
        #expect(RunHost(host: "a", build: build)?.description == "a, kit/main on n1: https://ci/1/")
        #expect(RunHost(host: "a")?.description == "a")
        let page = RunHost.Build(url: "https://ci/1/", job: nil, node: nil)
        #expect(RunHost(host: nil, build: page)?.description == "https://ci/1/")
        #expect(RunHost(host: nil) == nil && RunHost.Build(url: nil, job: nil, node: nil) == nil)
    }

    @Test func `runs of several machines have their build in common`() {
        func origin(_ host: String, _ url: String) -> RunHost? {
            RunHost(host: host, build: .init(url: url, job: "kit", node: host))
        }
        let first = origin("a", "https://ci/1/")
        #expect(RunHost.common(of: [first, first]) == first)
        let shared = RunHost.Build(url: "https://ci/1/", job: "kit", node: nil)
        #expect(RunHost.common(of: [first, origin("b", "https://ci/1/")]) == RunHost(host: nil, build: shared))
        let job = RunHost.Build(url: nil, job: "kit", node: nil)
        #expect(RunHost.common(of: [first, origin("b", "https://ci/2/")]) == RunHost(host: nil, build: job))
        #expect(RunHost.common(of: [first, nil]) == nil && RunHost.common(of: []) == nil)
    }
}
