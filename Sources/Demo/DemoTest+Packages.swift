import RunModel

extension DemoTest {
    /// The tests of the package that handles videos.
    static let ofVideoKit: [DemoTest] = (infos + decoders + thumbnails + searches + performance).map {
        DemoTrouble.troubled($0)
    }

    /// The tests of the small package.
    static let ofPostcodes: [DemoTest] = ["北海道", "東京都", "大阪府", "沖縄県"].map { prefecture in
        DemoTest(
            id: TestID(module: "PostcodeTests", suite: "PostcodeTests", name: "test_\(prefecture)の郵便番号を読む"),
            microseconds: 400)
    }

    private static let infos: [DemoTest] = {
        let suite = { (name: String) in TestID(module: "VideoKitTests", suite: "VideoInfoTests", name: name) }
        let plain = ["title", "duration", "dimensions", "codec", "bitRate", "chapters"].flatMap { field in
            ["test_正常系_\(field)を読む", "test_異常系_\(field)がnil", "test_異常系_\(field)が空文字"].map {
                DemoTest(id: suite($0))
            }
        }
        let difference = #"XCTAssertEqual failed: ("33") is not equal to ("34") - thumbnailのURLがnil"#
        return plain + [
            DemoTest(
                id: suite("test_異常系_thumbnailのURLがnil"), microseconds: 3100,
                behavior: .broken([37..<40, 116..<200], difference)),
            DemoTest(id: suite("testLegacyContainer"), until: 58),
            DemoTest(id: suite("testFragmentedFiles"), since: 44, microseconds: 2200),
            DemoTest(id: suite("testPosterFrame"), since: 94, microseconds: 1900),
            DemoTest(id: suite("testNetworkTitle"), behavior: .skipped("needs a network")),
            DemoTest(
                id: suite("testColorProfile"), since: 20, behavior: .known("the profile of HLG is read as PQ")),
        ]
    }()

    private static let decoders: [DemoTest] = {
        let suite = { (name: String) in TestID(module: "VideoKitTests", suite: "DecoderTests", name: name) }
        let pairs = ["H264", "HEVC", "AV1", "VP9"].flatMap { codec in
            ["mp4", "mkv", "webm", "mov", "ts"].map { DemoTest(id: suite("test\(codec)_in_\($0)"), microseconds: 4200) }
        }
        return pairs + [
            DemoTest(
                id: suite("testParallelDecoding"), since: 25, microseconds: 21_000,
                behavior: .flaky(oneIn: 9, #"XCTAssertEqual failed: ("7") is not equal to ("8") - frames arrived"#)),
            DemoTest(id: suite("testTruncatedHeader"), behavior: .crashing(run: 74)),
            DemoTest(id: suite("testSeekBackwards"), microseconds: 9800, behavior: .slowing(from: 96)),
        ]
    }()

    private static let thumbnails: [DemoTest] = {
        let suite = { (name: String) in TestID(module: "ThumbnailKitTests", suite: "Thumbnail/サイズ", name: name) }
        var tests = [
            DemoTest(
                id: suite("roundsUp(_:)"), library: .swiftTesting, displayName: "sizes are rounded up to 16",
                tags: [".geometry"], arguments: ["1×1", "16×16", "1919×1081"], attachments: [.thumbnail]),
            DemoTest(
                id: suite("flag()"), library: .swiftTesting, displayName: "国旗 🇯🇵 は一文字として数える",
                tags: [".unicode"]),
            DemoTest(
                id: suite("family()"), library: .swiftTesting, displayName: "👨‍👩‍👧 stays one character",
                tags: [".unicode"], since: 31),
            DemoTest(
                id: suite("cacheExpires()"), library: .swiftTesting, displayName: "a cached image expires",
                tags: [".network", ".slow"], attachments: [.answer, .thumbnail],
                microseconds: 12_000, behavior: .flaky(oneIn: 17, "Expectation failed: (age → 0.998) >= 1.0")),
        ]
        tests += (1...14).map { number in
            DemoTest(
                id: TestID(module: "ThumbnailKitTests", suite: "URLRule", name: "rule\(number)()"),
                library: .swiftTesting, since: number * 5)
        }
        return tests
    }()

    private static let searches: [DemoTest] = {
        let suite = { (name: String) in TestID(module: "YoutubeAPITests", suite: "SearchTests", name: name) }
        let words = ["猫", "cat", "قط", "кот", "고양이"].map { DemoTest(id: suite("test_検索_\($0)"), microseconds: 1500) }
        return words + [
            DemoTest(
                id: suite("testTimeoutWithoutNetwork"), microseconds: 31_000,
                behavior: .flaky(oneIn: 5, "Asynchronous wait failed: Exceeded timeout of 1 seconds")),
            DemoTest(id: suite("testQuotaIsCounted"), since: 8),
            DemoTest(
                id: suite("testQuotaResetsAtMidnight"), since: 8,
                behavior: .broken([62..<65], #"XCTAssertTrue failed - the day ends at 15:00 UTC in 日本"#)),
        ]
    }()

    private static let performance: [DemoTest] = ["H264", "HEVC", "AV1"].map { codec in
        DemoTest(
            id: TestID(module: "PerformanceTests", suite: "DecodingTime", name: "test\(codec)Minute"),
            microseconds: 480_000)
    }
}
