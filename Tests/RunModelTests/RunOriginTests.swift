import RunModel
import Testing

@Suite struct RunOriginTests {
    @Test(arguments: ["https://ci.example.com/job/kit/12/", "HTTP://10.0.0.1:8080/x?y=1#z", "http://[::1]/"])
    func `an address of a page may become a link`(_ text: String) {
        #expect(RunOrigin.isPlainAddress(text))
        #expect(RunOrigin.Build(url: text, job: nil, node: nil)?.link == text)
    }

    @Test(arguments: [
        "", "https://", "https:///x", "javascript:alert(1)", "data:text/html,x", "//ci.example.com", "ftp://ci/",
        "https://user:secret@ci/", "https://ci/ x", "https://ci/\n", "https://ci/\u{1B}[2J", "https://ci/<script>",
        "https://ci/\"", "https://ci/\u{202E}", "https://cï/",
    ])
    func `what is no plain address becomes no link`(_ text: String) {
        #expect(!RunOrigin.isPlainAddress(text))
        #expect(RunOrigin.Build(url: text, job: nil, node: nil)?.link == nil)
    }

    @Test func `one line names the machine, the job and the page`() {
        let build = RunOrigin.Build(url: "https://ci/1/", job: "kit/main", node: "n1")
        #expect(RunOrigin(host: "a", build: build)?.description == "a, kit/main on n1: https://ci/1/")
        #expect(RunOrigin(host: "a")?.description == "a")
        let page = RunOrigin.Build(url: "https://ci/1/", job: nil, node: nil)
        #expect(RunOrigin(host: nil, build: page)?.description == "https://ci/1/")
        #expect(RunOrigin(host: nil) == nil && RunOrigin.Build(url: nil, job: nil, node: nil) == nil)
    }

    @Test func `runs of several machines have their build in common`() {
        func origin(_ host: String, _ url: String) -> RunOrigin? {
            RunOrigin(host: host, build: .init(url: url, job: "kit", node: host))
        }
        let first = origin("a", "https://ci/1/")
        #expect(RunOrigin.common(of: [first, first]) == first)
        let shared = RunOrigin.Build(url: "https://ci/1/", job: "kit", node: nil)
        #expect(RunOrigin.common(of: [first, origin("b", "https://ci/1/")]) == RunOrigin(host: nil, build: shared))
        let job = RunOrigin.Build(url: nil, job: "kit", node: nil)
        #expect(RunOrigin.common(of: [first, origin("b", "https://ci/2/")]) == RunOrigin(host: nil, build: job))
        #expect(RunOrigin.common(of: [first, nil]) == nil && RunOrigin.common(of: []) == nil)
    }
}
