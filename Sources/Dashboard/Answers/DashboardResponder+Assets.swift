import HTTPTypes
import Web

extension DashboardResponder {
    /// A style sheet, script or icon; not sent again to a browser that has it.
    func asset(_ file: WebFile, contentType: String) throws(WebError) -> Answer {
        let bytes = try webRoot.bytes(of: file)
        return Answer(status: .ok, contentType: contentType, body: bytes, isKept: true)
    }
}

extension Answer {
    /// Data for programs.
    static func data(_ bytes: [UInt8]) -> Answer {
        Answer(status: .ok, contentType: "application/json; charset=utf-8", body: bytes, isKept: true)
    }
}
