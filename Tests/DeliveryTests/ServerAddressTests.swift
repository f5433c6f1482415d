import Testing

@testable import Delivery

@Suite struct ServerAddressTests {
    @Test(arguments: [
        ("https://kanmon.example.com", "https://kanmon.example.com"),
        ("HTTPS://Kanmon.Example.com/", "https://kanmon.example.com"),
        ("https://example.com:8443/team/kanmon//", "https://example.com:8443/team/kanmon"),
        ("http://[::1]:8080", "http://[::1]:8080"),
        (" http://127.0.0.1:8080\n", "http://127.0.0.1:8080"),
    ])
    func `an address has one form`(_ text: String, _ form: String) throws {
        #expect(try ServerAddress(text).description == form)
    }

    @Test(arguments: [
        "", "kanmon.example.com", "ftp://example.com", "file:///etc/passwd", "https://", "https:///path",
        "https://user@example.com", "https://user:secret@example.com", "https://example.com/?token=1",
        "https://example.com/#part", "https://exa mple.com", "https://example.com/\u{1B}[2J", "javascript:alert(1)",
    ])
    func `what is no address of a server is refused`(_ text: String) {
        #expect(throws: ServerAddressError.self) { try ServerAddress(text) }
    }

    @Test(arguments: [
        ("http://localhost:1", true), ("http://127.0.0.1", true), ("http://127.8.9.10", true), ("http://[::1]", true),
        ("http://127.example.com", false), ("http://localhost.example.com", false), ("http://10.0.0.1", false),
        ("http://[::2]", false), ("http://0.0.0.0", false),
    ])
    func `this machine is known by its address, not by a name that looks like it`(_ text: String, _ isOwn: Bool) throws
    {
        #expect(try ServerAddress(text).isLoopback == isOwn)
    }

    @Test(arguments: ["//evil.example/", "https://evil.example/", "runs/1", "/../x", "/a b", "/\u{1B}[31m", ""])
    func `a page lies on the server that names it`(_ path: String) throws {
        let address = try ServerAddress("https://example.com/kanmon")
        #expect(address.page(path) == nil)
        #expect(address.page("/runs/1") == "https://example.com/kanmon/runs/1")
    }

    @Test(arguments: [
        (["https_proxy": "http://p:1"], true), (["HTTPS_PROXY": "p:1"], true), (["ALL_PROXY": "socks5://p"], true),
        (["http_proxy": "http://p:1"], false), (["https_proxy": "http://p:1", "no_proxy": "example.com"], false),
        (["https_proxy": "http://p:1", "no_proxy": "*"], false),
        (["https_proxy": "http://p:1", "no_proxy": "kanmon.example.com:443"], false),
        (["https_proxy": "http://p:1", "no_proxy": "kanmon.example.com:8443"], true),
        (["https_proxy": "http://p:1", "no_proxy": "ample.com"], true),
        (["https_proxy": ""], false), ([:], false),
    ])
    func `the usual variables choose the proxy`(_ environment: [String: String], _ isUsed: Bool) throws {
        let address = try ServerAddress("https://kanmon.example.com")
        #expect(try (ProxySettings(environment).proxy(for: address) != nil) == isUsed)
        #expect(try ProxySettings(environment).proxy(for: ServerAddress("https://127.0.0.1")) == nil)
    }

    @Test func `a proxy that cannot be used is no direct connection`() throws {
        let address = try ServerAddress("https://example.com")
        for text in ["https://p:1", "http://", "quic://p"] {
            #expect(throws: ServerAddressError.self) { try ProxySettings(["https_proxy": text]).proxy(for: address) }
        }
    }
}
