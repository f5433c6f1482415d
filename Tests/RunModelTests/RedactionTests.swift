import RunModel
import Testing

@Suite struct RedactionTests {
    @Test(arguments: [
        ("https://user:s3cret@host/a/b.git", "https://***@host/a/b.git"),
        ("https://s3cret@host/a", "https://***@host/a"),
        ("http://user:p@s3cret@proxy:3128", "http://***@proxy:3128"),
        (
            "fatal: unable to access 'https://u:s3cret@host/x/': 403",
            "fatal: unable to access 'https://***@host/x/': 403"
        ),
        ("ssh://git:s3cret@host/a", "ssh://***@host/a"),
        ("API_TOKEN=s3cret swift test", "API_TOKEN=*** swift test"),
        ("MY_PASSWORD='s3 cret' x", "MY_PASSWORD='***' x"),
        ("--password=s3cret", "--password=***"),
        ("https://host/x?private_token=s3cret&page=2", "https://host/x?private_token=***&page=2"),
        ("curl -H 'Authorization: Bearer s3cret' x", "curl -H 'Authorization: ***' x"),
        ("PRIVATE-TOKEN: s3cret", "PRIVATE-TOKEN: ***"),
        ("a https://u:s3cret@h b https://s3cret@i", "a https://***@h b https://***@i"),
        ("DB_SECRET=s3cret\nnext", "DB_SECRET=***\nnext"),
        ("AWS_SECRET_ACCESS_KEY=s3cret", "AWS_SECRET_ACCESS_KEY=***"),
        ("https://u:s3cret%40日@h/", "https://***@h/"),
    ])
    func `a credential in a known position is removed`(text: String, clean: String) {
        #expect(Redaction.clean(text) == clean)
        #expect(!Redaction.clean(text).contains("s3cret"))
        #expect(Redaction.clean(clean) == clean)
    }

    @Test(arguments: [
        "", "plain", "https://host/a@b/c", "ssh://git@host/a", "git@host:a/b", "MODE=test", "a=b", "token: what is it?",
        "https://host", "x:", "x=", "file:///a/b", "日 = 本: @", "Sources/Core/Token.swift:3:4: error: x", "TOKEN=",
    ])
    func `what is none stays as it is`(text: String) { #expect(Redaction.clean(text) == text) }

    @Test func `a text of a million equals signs is redacted as fast as it is read`() {
        let clock = ContinuousClock()
        var texts = [String(repeating: "a=", count: 1 << 20), String(repeating: "aaaaa=", count: 1 << 18)]
        texts.append(String(repeating: "a-b:", count: 1 << 19))
        for text in texts {
            let time = clock.measure { #expect(Redaction.clean(text) == text) }
            // It took a minute; unoptimized code takes some seconds beside other tests.
            #expect(time < .seconds(30))
        }
    }

    @Test func `the word behind an option is taken out`() {
        let words = ["curl", "--token", "s3cret", "-u", "x", "--api-key", "s3cret", "--verbose"]
        #expect(
            Redaction.clean(words: words) == ["curl", "--token", "***", "-u", "x", "--api-key", "***", "--verbose"])
    }

    @Test func `of a variable only the name stays`() {
        #expect(Redaction.clean(variable: "DATABASE_URL=postgres://u:p@h/d") == "DATABASE_URL=***")
        #expect(Redaction.clean(variable: "A==b") == "A=***")
        #expect(Redaction.clean(variable: "HOME") == "HOME")
    }
}
