import Foundation

extension XMLScanner {
    /// Comments and CDATA; a document type is refused.
    func special<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        guard end - start >= 9 else { return start }
        let isData = memcmp(start, "<![CDATA[", 9) == 0
        guard isData ? depth > 0 : memcmp(start, "<!--", 4) == 0 else { return nil }
        let content = start + (isData ? 9 : 4)
        var place = content
        while place < end {
            switch place.pointee {
            case UInt8(ascii: "]") where isData:
                guard end - place > 2 else { return start }
                if place[1] == UInt8(ascii: "]"), place[2] == UInt8(ascii: ">") {
                    if place > content { handler.text(XMLBytes(start: content, count: place - content)) }
                    return place + 3
                }
                place += 1
            case UInt8(ascii: "-") where !isData:
                guard end - place > 2 else { return start }
                if place[1] == UInt8(ascii: "-") { return place[2] == UInt8(ascii: ">") ? place + 3 : nil }
                place += 1
            case 0x09, 0x0A, 0x20..<0x80: place += 1
            default:
                guard let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place { return start }
                place = behind
            }
        }
        return start
    }

    /// Hands over text up to the next markup, or as much of it as is known to be complete.
    func text<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isLast: Bool, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        var from = start
        var place = start
        func flush() { if place > from { handler.text(XMLBytes(start: from, count: place - from)) } }
        while true {
            place = XMLCharacter.behindOrdinary(place, end, or: UInt8(ascii: "]"))
            guard place < end else { break }
            let byte = place.pointee
            switch byte {
            case UInt8(ascii: "<"):
                flush()
                return place
            case UInt8(ascii: "&"):
                guard let reference = XMLReference(place, end) else {
                    guard end - place < XMLReference.limit else { return nil }
                    flush()
                    return place
                }
                flush()
                reference.withBytes { handler.text($0) }
                place += reference.length
                from = place
            case UInt8(ascii: "]"):
                guard end - place > 2 else {
                    flush()
                    return place
                }
                if place[1] == UInt8(ascii: "]"), place[2] == UInt8(ascii: ">") { return nil }
                place += 1
            case 0x09, 0x0A: place += 1
            default:
                guard let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place {
                    flush()
                    return place
                }
                place = behind
            }
        }
        flush()
        return place
    }

    /// The value whose quote is at `start`: behind its closing quote, or `start` where it goes on behind `end`.
    mutating func value(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ value: inout XMLBytes
    ) -> UnsafePointer<UInt8>? {
        let quote = start.pointee
        let content = start + 1
        var place = content
        // What is in `scratch` from here on is the value up to `from`.
        let copy = scratchCount
        var from = content
        while true {
            place = XMLCharacter.behindOrdinary(place, end, or: quote)
            guard place < end else { return start }
            let byte = place.pointee
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "&"):
                guard let reference = XMLReference(place, end) else {
                    return end - place < XMLReference.limit ? start : nil
                }
                guard keep(from, place), reference.withBytes({ keep($0) }) else { return nil }
                place += reference.length
                from = place
            case 0x09, 0x0A:
                // White space in a value is a space.
                guard keep(from, place), keep(0x20) else { return nil }
                place += 1
                from = place
            default:
                guard byte != UInt8(ascii: "<"), let behind = XMLCharacter.behind(place, end) else { return nil }
                if behind == place { return start }
                place = behind
            }
        }
        if from == content {
            value = XMLBytes(start: content, count: place - content)
        } else {
            guard keep(from, place) else { return nil }
            value = XMLBytes(start: scratch + copy, count: scratchCount - copy)
        }
        return place + 1
    }

    private mutating func keep(_ from: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        keep(XMLBytes(start: from, count: end - from))
    }

    private mutating func keep(_ byte: UInt8) -> Bool { withUnsafePointer(to: byte) { keep($0, $0 + 1) } }

    private mutating func keep(_ bytes: XMLBytes) -> Bool {
        guard scratchCount + bytes.count <= XMLByteGuard.tagLimit else { return false }
        if let base = bytes.baseAddress { memcpy(scratch + scratchCount, base, bytes.count) }
        scratchCount += bytes.count
        return true
    }
}
