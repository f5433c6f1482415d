// swift-tools-version: 6.3
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A room: a target with one paragraph about itself and the same settings as every other.
func room(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: ["README.md"],
        resources: resources,
        swiftSettings: settings
    )
}

/// The tests of a room; recorded data lies in its `Fixtures` folder.
func tests(of room: String, _ dependencies: [Target.Dependency] = [], fixtures: Bool = false) -> Target {
    .testTarget(
        name: "\(room)Tests",
        dependencies: [.byName(name: room), "TestSupport"] + dependencies,
        resources: fixtures ? [.copy("Fixtures")] : nil,
        swiftSettings: settings
    )
}

let package = Package(
    name: "kanmon",
    products: [.executable(name: "kanmon", targets: ["kanmon"])],
    dependencies: [
        // The command line: parsing, help, completion scripts.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Names of header fields and statuses, as Hummingbird takes them.
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        // Structured logs of the server.
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The loop of connections, their time-outs and addresses, as Hummingbird takes them.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        // The parts of requests and answers on a connection, as Hummingbird takes them.
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        // The HTTP client of deliveries, as Hummingbird takes it.
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // SQLite with safe concurrency.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // The HTTP server.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // TLS of the server and of deliveries, as Hummingbird and the client take it.
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        // Logic-less templates: the general engine with which the tests compare the one of the pages.
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        // YAML with line and column of every node.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Child processes without inherited descriptors or signal masks.
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        // Graceful stop of the server on a signal.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        room("RunModel"),
        room("Gate", ["RunModel"]),
        room("Mutation", ["RunModel"]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        room("SettingsFile", ["RunModel", "Gate", .product(name: "Yams", package: "Yams")]),
        // Digests and signatures are those of the system's OpenSSL: compiling a copy takes minutes of every first build.
        .target(name: "CCryptography", exclude: ["README.md"], linkerSettings: [.linkedLibrary("crypto")]),
        room("Cryptography", ["CCryptography"]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        room("Evidence", ["RunModel", "CLibXML2", "Cryptography"]),
        room("CodeCoverage", ["RunModel", "Evidence", "CZlib", "Cryptography"]),
        room("TestResults", ["RunModel", "Evidence", "CodeCoverage"]),
        .target(name: "CProcess", exclude: ["README.md"]),
        room(
            "TestRunning",
            ["RunModel", "Mutation", "Evidence", "CodeCoverage", "TestResults", "CProcess", "Cryptography"],
            resources: [
                .embedInCode("Resources/XCTestObserver.swift"), .embedInCode("Resources/XCTestObserver+Issues.swift"),
                .embedInCode("Resources/CurrentTestCase.swift"), .embedInCode("Resources/SwiftTestingListener.swift"),
                .embedInCode("Resources/preload.c"), .embedInCode("Resources/preload-assertions.c"),
                .embedInCode("Resources/preload.h"), .embedInCode("Resources/preload-children.c"),
                .embedInCode("Resources/preload-counters.c"), .embedInCode("Resources/preload-places.c"),
                .embedInCode("Resources/preload-tests.c"), .embedInCode("Resources/preload-records.h"),
                .embedInCode("Resources/preload-records.c"), .embedInCode("Resources/preload-initialisers.c"),
                .embedInCode("Resources/preload-events.c"), .embedInCode("Resources/preload-pool.c"),
                .embedInCode("Resources/preload-settling.c"),
            ]
        ),
        room(
            "Delivery",
            [
                "RunModel", "Evidence",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        // What outgrows one machine is kept by a store that exists. Requests to it go through the client of deliveries, and are
        // signed here: there is no library for that which stands alone.
        room(
            "Objects",
            [
                "RunModel", "Evidence", "Cryptography", "Delivery",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        room("Access", ["RunModel", "Evidence", "Cryptography"]),
        room("Repository", ["RunModel", .product(name: "Subprocess", package: "swift-subprocess")]),
        room(
            "Storage",
            [
                "RunModel", "Gate", "CZlib", "Cryptography",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        room("Wording", ["RunModel", "Gate"]),
        room("Demo", ["RunModel", "Gate"]),
        room("Exports", ["RunModel", "Gate", "Wording"]),
        .target(
            name: "Web",
            path: "web",
            exclude: ["README.md"],
            resources: [
                .embedInCode("templates"), .embedInCode("styles"), .embedInCode("icons"), .embedInCode("scripts"),
            ],
            swiftSettings: settings
        ),
        room("Pages", ["RunModel", "Gate", "Wording", "Web"]),
        room(
            "Dashboard",
            [
                "RunModel", "Gate", "Access", "Evidence", "CodeCoverage", "TestResults", "Storage", "Exports", "Web",
                "Pages",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        room(
            "Application",
            [
                "RunModel", "Gate", "Mutation", "SettingsFile", "Evidence", "CodeCoverage", "TestResults", "Delivery",
                "Objects", "Repository", "TestRunning", "Storage", "Wording", "Exports", "Pages", "Access", "Dashboard",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "kanmon",
            dependencies: [
                "Application",
                "RunModel", "Gate", "Mutation", "SettingsFile", "Evidence", "CodeCoverage", "TestResults", "Delivery",
                "Repository", "TestRunning", "Storage", "Wording", "Exports", "Pages", "Access", "Dashboard", "Demo",
                "Web",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),

        .executableTarget(
            name: "kanmon-bench",
            dependencies: [
                "RunModel", "Gate", "Evidence", "CodeCoverage", "TestResults", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["README.md"],
            swiftSettings: settings
        ),

        .target(name: "TestSupport", dependencies: ["RunModel"], path: "Tests/Support", swiftSettings: settings),
        .target(
            name: "FaultServer",
            dependencies: [
                "RunModel", "Evidence", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/FaultServer", swiftSettings: settings
        ),
        tests(of: "Cryptography"),
        tests(of: "RunModel"),
        tests(of: "Gate", ["RunModel"]),
        tests(of: "Mutation", ["RunModel"], fixtures: true),
        tests(of: "SettingsFile", ["RunModel", "Gate"]),
        // Of the three rooms that read what a run left behind: they share the recordings.
        tests(of: "Evidence", ["RunModel", "CodeCoverage", "TestResults"], fixtures: true),
        tests(of: "TestRunning", ["Evidence", "CodeCoverage", "TestResults", "Mutation", "RunModel"], fixtures: true),
        tests(of: "Delivery", ["RunModel", "Evidence", "FaultServer"]),
        tests(
            of: "Objects",
            [
                "RunModel", "Evidence", "Cryptography", "Delivery", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            fixtures: true
        ),
        tests(of: "Access", ["RunModel"]),
        tests(of: "Repository", ["RunModel"]),
        tests(of: "Storage", ["RunModel", "Gate", .product(name: "GRDB", package: "GRDB.swift")]),
        tests(of: "Wording", ["RunModel", "Gate", "Exports", "Pages"]),
        tests(of: "Demo", ["RunModel", "Gate"]),
        tests(of: "Exports", ["RunModel", "Gate", "Wording"], fixtures: true),
        tests(
            of: "Pages",
            ["RunModel", "Gate", "Web", "Wording", .product(name: "Mustache", package: "swift-mustache")],
            fixtures: true
        ),
        tests(
            of: "Dashboard",
            [
                "RunModel", "Gate", "Access", "Evidence", "Storage", "Web", "Pages", "Demo",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "KanmonTests",
            dependencies: [
                "kanmon", "Application", "kanmon-bench", "TestSupport", "Access", "Dashboard", "Delivery", "Evidence",
                "Exports", "FaultServer", "Gate", "Mutation", "Objects", "Pages", "RunModel", "Storage", "TestResults",
                "TestRunning",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            exclude: ["Cases", "README.md", "Runs"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
