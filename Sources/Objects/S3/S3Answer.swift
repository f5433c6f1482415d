import Evidence
import RunModel

import struct Foundation.Date

/// What a store says in XML: the list of a bucket, or an error. Nothing of it is trusted.
struct S3Answer: XMLHandler {
    /// An object in a list.
    struct Entry: Sendable, Hashable {
        /// Its name in the bucket.
        var name = ""
        /// Its size in bytes; `nil` if that is none.
        var size: Int?
        /// When it was put last; `nil` if that is no moment.
        var modified: Date?
    }

    /// The largest answer that is read, in bytes: a list has a thousand names of up to a thousand bytes, and three for each encoded.
    static let largest = 8 << 20
    /// The most that is kept of a text, in bytes: a name that is encoded has up to three times 1024.
    private static let longestText = 4096

    /// The name of the outermost element: `ListBucketResult` or `Error`.
    private(set) var kind = ""
    /// The objects of a list.
    private(set) var entries: [Entry] = []
    /// Whether the list goes on; `nil` if it does not say so.
    private(set) var isTruncated: Bool?
    /// The code of an error, such as `NoSuchKey`.
    private(set) var code = ""
    /// The message of an error.
    private(set) var message = ""
    /// Why the answer has to be refused.
    private(set) var fault: String?
    private(set) var budget = EvidenceBudget(4 * S3Answer.largest)

    private var isEncoded = false
    private var open: [String] = []
    private var bytes: [UInt8] = []
    private var entry = Entry()

    /// Reads an answer; `nil` for what is not XML as a store sends it.
    init?(_ answer: [UInt8]) {
        var reader = S3Answer()
        do throws(XMLFault) {
            try answer.lent { (document: LentBytes) throws(XMLFault) in
                _ = try XMLPushParser.parse(document, into: &reader, documentType: .refused, isPartialAllowed: false)
            }
        } catch {
            return nil
        }
        guard reader.fault == nil else { return nil }
        if reader.isEncoded {
            for index in reader.entries.indices {
                guard let name = PercentEncoding.decode(reader.entries[index].name[...]) else { return nil }
                reader.entries[index].name = name
            }
        }
        self = reader
    }

    private init() {}

    /// A moment in UTC as stores write it, with no fraction of a second or one of any length, which is dropped.
    private static func moment(_ text: String) -> Date? {
        guard text.hasSuffix("Z"), text.utf8.count >= 20 else { return nil }
        return Timestamp.date(of: "\(text.prefix(19))Z")
    }

    mutating func start(_ name: XMLBytes, _ attributes: XMLAttributes) {
        let name = String(decoding: name.prefix(64), as: UTF8.self)
        if open.isEmpty { kind = name }
        open.append(name)
        bytes = []
        if open == ["ListBucketResult", "Contents"] { entry = Entry() }
    }

    mutating func text(_ text: XMLBytes) {
        // One more than is kept says that there was more.
        bytes += text.prefix(Self.longestText + 1 - bytes.count)
    }

    mutating func end() {
        let text = String(decoding: bytes.prefix(Self.longestText), as: UTF8.self)
        let isCut = bytes.count > Self.longestText
        switch open.joined(separator: "/") {
        case "ListBucketResult/IsTruncated": isTruncated = ["true": true, "false": false][text]
        case "ListBucketResult/EncodingType": isEncoded = text == "url"
        case "ListBucketResult/Contents/Key":
            entry.name = text
            if isCut { fault = "a name that is too long" }
        case "ListBucketResult/Contents/Size": entry.size = Int(text)
        case "ListBucketResult/Contents/LastModified": entry.modified = Self.moment(text)
        case "ListBucketResult/Contents":
            entries.append(entry)
            budget.count(.entry)
            budget.count(entry.name)
            if entries.count > ObjectPage.largest { fault = "more objects than a page has" }
        case "Error/Code": code = text
        case "Error/Message": message = text
        default: break
        }
        bytes = []
        open.removeLast()
    }
}
