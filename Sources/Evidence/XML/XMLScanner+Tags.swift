import Foundation

extension XMLScanner {
    mutating func startTag<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        let name = start + 1
        var place = Self.behindName(name, end)
        guard place < end else { return start }
        guard place > name, place - name <= Self.nameLimit, depth > 0 || !sawRoot else { return nil }
        let nameEnd = place
        var count = 0
        scratchCount = 0
        while true {
            let space = place
            place = Self.behindSpace(place, end)
            guard place < end else { return start }
            let byte = place.pointee
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") { break }
            guard place > space, count < XMLByteGuard.attributeLimit else { return nil }
            let key = place
            place = Self.behindName(place, end)
            let keyEnd = place
            place = Self.behindSpace(place, end)
            guard place < end else { return start }
            guard keyEnd > key, place.pointee == UInt8(ascii: "=") else { return nil }
            place = Self.behindSpace(place + 1, end)
            guard place < end else { return start }
            guard place.pointee == UInt8(ascii: "\"") || place.pointee == UInt8(ascii: "'") else { return nil }
            var content = XMLBytes(start: nil, count: 0)
            guard let behind = value(place, end, &content) else { return nil }
            // A quote is two bytes at least.
            guard behind > place else { return start }
            place = behind
            let attribute = XMLAttribute(name: XMLBytes(start: key, count: keyEnd - key), value: content)
            guard !attribute.name.equals("xmlns"), isNew(attribute.name, count) else { return nil }
            (attributes + count).initialize(to: attribute)
            count += 1
        }
        let isEmpty = place.pointee == UInt8(ascii: "/")
        if isEmpty {
            place += 1
            guard place < end else { return start }
            guard place.pointee == UInt8(ascii: ">") else { return nil }
        }
        place += 1
        guard depth < XMLByteGuard.depthLimit, place - start <= XMLByteGuard.tagLimit else { return nil }
        sawRoot = true
        let text = XMLBytes(start: name, count: nameEnd - name)
        handler.start(text, XMLAttributes(UnsafeBufferPointer(start: attributes, count: count)))
        if isEmpty {
            handler.end()
        } else {
            memcpy(names + depth * Self.nameLimit, name, text.count)
            nameLengths[depth] = text.count
            depth += 1
        }
        return place
    }

    private func isNew(_ name: XMLBytes, _ count: Int) -> Bool {
        for index in 0..<count where attributes[index].name.equals(name) { return false }
        return true
    }

    mutating func endTag<Handler: XMLHandler>(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ handler: inout Handler
    ) -> UnsafePointer<UInt8>? {
        guard depth > 0 else { return nil }
        let length = nameLengths[depth - 1]
        guard start + 2 + length < end else { return start }
        guard memcmp(start + 2, names + (depth - 1) * Self.nameLimit, length) == 0 else { return nil }
        let place = Self.behindSpace(start + 2 + length, end)
        guard place < end else { return start }
        guard place.pointee == UInt8(ascii: ">") else { return nil }
        depth -= 1
        handler.end()
        return place + 1
    }
}

extension XMLScanner {
    static func behindSpace(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end, place.pointee == 0x20 || place.pointee == 0x0A || place.pointee == 0x09 { place += 1 }
        return place
    }

    static func behindName(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end {
            switch place.pointee {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): break
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if place == start { return start }
            default: return place
            }
            place += 1
        }
        return place
    }
}
