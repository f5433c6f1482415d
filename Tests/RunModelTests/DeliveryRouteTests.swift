import RunModel
import Testing

@Suite struct DeliveryRouteTests {
    @Test(arguments: [
        (DeliveryRoute.identity, "GET", "/api/v1/whoami"), (.verdict, "GET", "/api/v1/verdicts"),
        (.run("a"), "PUT", "/api/v1/runs/a"), (.blob("b"), "PUT", "/api/v1/blobs/b"),
        (.progress(""), "PUT", "/api/v1/live/"),
    ])
    func `a call has one path, by which it is found again`(route: DeliveryRoute, method: String, path: String) {
        #expect(route.path == path)
        #expect(route.method == method)
        #expect(DeliveryRoute(path: path) == route)
    }

    @Test(arguments: [
        "", "/", "/api/v1", "/api/v1/", "/api/v1/whoami/", "/api/v1/runs", "/api/v1/runs/a/b", "/api/v2/whoami",
        "/api/v1/Whoami", "api/v1/whoami",
    ])
    func `no other path is a call`(path: String) { #expect(DeliveryRoute(path: path) == nil) }
}
