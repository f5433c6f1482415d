import Testing

@testable import Objects

@Suite struct S3SettingsTests {
    @Test(
        arguments: [
            ("s3://bucket", "bucket", nil), ("s3://bucket/", "bucket", nil), ("s3://bucket/ガ", "bucket", "ガ"),
            ("s3://b.u-c_K3t/a b/c/", "b.u-c_K3t", "a b/c"),
        ] as [(String, String, String?)])
    func `a location is a bucket and perhaps a folder in it`(text: String, bucket: String, prefix: String?) throws {
        let location = try S3Location(text)
        #expect(location.bucket == bucket && location.prefix?.text == prefix)
        #expect(location.name(of: "k/1") == (prefix.map { "\($0)/k/1" } ?? "k/1"))
        #expect(try S3Location(location.description) == location)
    }

    @Test(arguments: [
        "", "bucket", "https://bucket/a", "s3://", "s3:///a", "s3://ab", "s3://-bucket", "s3://bucket-",
        "s3://bu..cket", "s3://bücket", "s3://bucket/a//", "s3://bucket/a//b", "s3://bucket/../other",
        "s3://bucket/.hidden",
        "s3://bucket/a\nb", "s3://key:secret@bucket/a", "s3://" + String(repeating: "b", count: 64),
        "s3://bucket/" + String(repeating: "a/", count: 151),
    ])
    func `what is no location is refused`(text: String) {
        let error = #expect(throws: ObjectError.self) { try S3Location(text) }
        #expect(error?.kind == .settings)
    }

    /// The address of an object, and the host that the request names.
    private func address(
        _ bucket: String, endpoint: String? = nil, region: String? = nil, _ addressing: S3Settings.Addressing? = nil,
        environment: [String: String] = [:]
    ) throws -> [String] {
        let settings = try S3Settings(
            S3Location("s3://\(bucket)"), endpoint: endpoint, region: region, addressing: addressing,
            environment: environment)
        return [settings.origin + settings.path(of: "a b"), settings.path(of: nil), settings.host, settings.region]
    }

    @Test func `a bucket of AWS is a host of its own, unless its name has a dot`() throws {
        #expect(
            try address("bucket") == [
                "https://bucket.s3.us-east-1.amazonaws.com/a%20b", "/", "bucket.s3.us-east-1.amazonaws.com",
                "us-east-1",
            ])
        #expect(
            try address("my.bucket", region: "eu-central-1") == [
                "https://s3.eu-central-1.amazonaws.com/my.bucket/a%20b", "/my.bucket", "s3.eu-central-1.amazonaws.com",
                "eu-central-1",
            ])
        #expect(
            try address("bucket", .path, environment: ["AWS_DEFAULT_REGION": "cn-north-1"]) == [
                "https://s3.cn-north-1.amazonaws.com.cn/bucket/a%20b", "/bucket", "s3.cn-north-1.amazonaws.com.cn",
                "cn-north-1",
            ])
        #expect(throws: ObjectError.self) { try address("my.bucket", .host) }
        #expect(throws: ObjectError.self) { try address("My-Bucket", .host) }
    }

    @Test func `any endpoint is addressed by the path, or by the host where that is asked for`() throws {
        #expect(
            try address("bucket", endpoint: "https://store.example.com:8443/s3/") == [
                "https://store.example.com:8443/s3/bucket/a%20b", "/s3/bucket", "store.example.com:8443", "us-east-1",
            ])
        #expect(
            try address("bucket", endpoint: "https://store.example.com", region: "here", .host) == [
                "https://bucket.store.example.com/a%20b", "/", "bucket.store.example.com", "here",
            ])
        #expect(
            try address("b_1", endpoint: "http://[::1]:9000") == [
                "http://[::1]:9000/b_1/a%20b", "/b_1", "[::1]:9000", "us-east-1",
            ])
        let environment = [
            "AWS_ENDPOINT_URL": "https://all.example.com", "AWS_ENDPOINT_URL_S3": "https://s3.example.com",
            "AWS_REGION": "r1", "AWS_DEFAULT_REGION": "r2",
        ]
        #expect(try address("bucket", environment: environment).first == "https://s3.example.com/bucket/a%20b")
        #expect(try address("bucket", environment: environment).last == "r1")
        #expect(
            try address("bucket", endpoint: "https://given.example.com", region: "r3", environment: environment) == [
                "https://given.example.com/bucket/a%20b", "/bucket", "given.example.com", "r3",
            ])
    }

    @Test func `what is not encrypted goes to this machine only`() {
        for endpoint in [
            "http://store.example.com", "http://10.0.0.1:9000", "store.example.com", "https://", "ftp://localhost",
            "https://key:secret@store.example.com", "https://store.example.com/?a",
        ] {
            let error = #expect(throws: ObjectError.self) { try address("bucket", endpoint: endpoint) }
            #expect(error?.kind == .settings && error?.reason.contains("secret") == false)
        }
        for region in ["", "a b", "eu/1", String(repeating: "r", count: 65)] {
            #expect(throws: ObjectError.self) { try address("bucket", region: region) }
        }
    }
}
