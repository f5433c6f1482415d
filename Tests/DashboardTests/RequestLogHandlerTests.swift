import Logging
import Testing

@testable import Dashboard

struct RequestLogHandlerTests {
    private let log = LogRecorder()

    private var logger: Logger { Logger(label: "test") { _ in RequestLogHandler(log, level: .warning) } }

    @Test func `a log line has what is known about its request`() {
        var request = logger
        request[metadataKey: "id"] = "1"
        request[metadataKey: "host"] = "a"
        #expect(request[metadataKey: "id"] == "1")
        #expect(logger[metadataKey: "id"] == nil)
        request.warning("slow", metadata: ["host": "b", "page": "/"])
        logger.error("lost")
        #expect(log.lines == ["warning slow host=b id=1 page=/", "error lost "])
    }

    @Test func `what is not worth a warning is not told`() {
        var request = logger
        request.info("served")
        #expect(log.lines == [])
        request.logLevel = .info
        request.info("served")
        #expect(log.lines == ["info served "])
    }
}
