import RunModel

/// A made-up package: its targets, its files and its tests, each from the change on with which it came.
struct DemoPackage: Sendable {
    let project: String
    let name: String
    let modules: [Module]
    let notMeasurable: [String: String]
    let files: [DemoFile]
    let tests: [DemoTest]
    /// The first lines of the messages of its changes, taken in turn.
    let subjects: [String]

    /// A package that handles videos: large enough to have a history.
    static let videoKit = DemoPackage(
        project: "example.com/video-kit", name: "VideoKit",
        modules: [
            module("VideoKit", ["VideoInfo", "Decoder", "Retry", "Playlist", "Generated/Codecs"]),
            module("ThumbnailKit", ["Thumbnail", "URLRule"], uses: ["VideoKit"]),
            module("YoutubeAPI", ["Search", "Quota"], uses: ["VideoKit"]),
            module("videotool", ["Arguments"], kind: .executable, uses: ["VideoKit", "ThumbnailKit"]),
            Module(
                name: "CZlib", compilerName: "CZlib", kind: .library, isSwift: false, path: "Sources/CZlib",
                sources: ["inflate.c"], dependencies: []),
            testModule("VideoKitTests", ["VideoInfoTests", "DecoderTests"], of: "VideoKit"),
            testModule("ThumbnailKitTests", ["ThumbnailTests"], of: "ThumbnailKit"),
            testModule("YoutubeAPITests", ["SearchTests"], of: "YoutubeAPI"),
            testModule("PerformanceTests", ["DecodingTime"], of: "VideoKit"),
            testModule("EndToEndTests", ["UploadTests"], of: "YoutubeAPI"),
        ],
        notMeasurable: ["CZlib": "a C-family target"], files: videoFiles, tests: DemoTest.ofVideoKit,
        subjects: [
            "Read the duration of fragmented files", "サムネイルのURLを検証する", "Count quota in units",
            "Give up after the third retry", "Sort playlists by date", "Say which rule refused a URL",
            "Round sizes up to 16", "Keep the order of search results", "絵文字 🇯🇵 を一文字として数える",
            "Cache decoded headers", "Drop support for the old API", "Name the codec in errors",
        ])

    /// A package that is small and green.
    static let postcodes = DemoPackage(
        project: "example.com/郵便番号", name: "郵便番号",
        modules: [module("Postcode", ["Postcode"]), testModule("PostcodeTests", ["PostcodeTests"], of: "Postcode")],
        notMeasurable: [:],
        files: [
            DemoFile(
                module: "Postcode", name: "Postcode",
                functions: ["parse", "format", "prefecture", "city", "isValid"].map { DemoFunction(name: $0) }
                    + [DemoFunction(name: "kana", since: 9, reach: .happy, testedSince: 14)])
        ],
        tests: DemoTest.ofPostcodes,
        subjects: ["町名の読みを直す", "Read codes without a hyphen", "データを更新する", "Refuse eight digits"])

    private static let videoFiles = [
        DemoFile(
            module: "VideoKit", name: "VideoInfo",
            functions: ["title", "duration", "dimensions", "codec", "bitRate"].map { DemoFunction(name: $0) }
                + [
                    DemoFunction(name: "frameRate", since: 12, reach: .happy, testedSince: 30),
                    DemoFunction(name: "chapters", since: 44, reach: .happy),
                    DemoFunction(name: "posterFrame", since: 94, reach: .happy),
                    DemoFunction(name: "thumbnailURL", since: 100),
                ]),
        DemoFile(
            module: "VideoKit", name: "Decoder",
            functions: ["open", "nextFrame", "seek", "flush"].map { DemoFunction(name: $0, reach: .happy) }
                + [
                    DemoFunction(name: "hardware", reach: .none, testedSince: 66),
                    DemoFunction(name: "parallel", since: 25),
                    DemoFunction(name: "recover", since: 71, reach: .none, testedSince: 90),
                ]),
        DemoFile(
            module: "VideoKit", name: "Retry",
            functions: [DemoFunction(name: "delay"), DemoFunction(name: "giveUp", since: 18, reach: .happy)]),
        DemoFile(
            module: "VideoKit", name: "Playlist",
            functions: ["append", "sorted", "shuffled", "page"].map { DemoFunction(name: $0) }),
        DemoFile(
            module: "VideoKit", name: "Generated/Codecs",
            functions: ["h264", "hevc", "av1", "vp9"].map { DemoFunction(name: $0, reach: .none) }),
        DemoFile(
            module: "ThumbnailKit", name: "Thumbnail",
            functions: ["scaled", "cropped", "cacheKey"].map { DemoFunction(name: $0) }
                + [
                    DemoFunction(name: "placeholder", reach: .happy),
                    DemoFunction(name: "decodeWithoutWidth", since: 116, reach: .none),
                    DemoFunction(name: "fallbackImage", since: 116, reach: .none),
                ]),
        DemoFile(
            module: "ThumbnailKit", name: "URLRule",
            functions: ["host", "path", "query"].map { DemoFunction(name: $0) }
                + [DemoFunction(name: "punycode", since: 52, reach: .happy)]),
        DemoFile(
            module: "YoutubeAPI", name: "Search",
            functions: ["query", "next", "results", "suggestions"].map { DemoFunction(name: $0, reach: .happy) }),
        DemoFile(
            module: "YoutubeAPI", name: "Quota",
            functions: ["used", "left", "reset"].map { DemoFunction(name: $0) }
                + [DemoFunction(name: "forecast", since: 80, reach: .happy)]),
        DemoFile(
            module: "videotool", name: "Arguments",
            functions: ["parse", "help"].map { DemoFunction(name: $0) }
                + [DemoFunction(name: "interactive", since: 33, reach: .happy)]),
    ]

    private static func module(
        _ name: String, _ files: [String], kind: Module.Kind = .library, uses: [String] = []
    ) -> Module {
        Module(
            name: name, compilerName: name, kind: kind, isSwift: true, path: "Sources/\(name)",
            sources: files.map { "\($0).swift" }, dependencies: uses)
    }

    private static func testModule(_ name: String, _ files: [String], of module: String) -> Module {
        Module(
            name: name, compilerName: name, kind: .test, isSwift: true, path: "Tests/\(name)",
            sources: files.map { "\($0).swift" }, dependencies: [module])
    }
}
