import Foundation
import RunModel

/// The text of an export while it is written, in the spelling of LLVM's JSON.
struct ExportText: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var capacity: Int

    /// More than a number of 64 bits takes, with what stands around it.
    private static let numberRoom = 24

    init(capacity: Int) {
        self.capacity = max(capacity, 4096)
        start = .allocate(capacity: self.capacity)
    }

    deinit { start.deallocate() }

    /// The text so far.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

    @inline(__always)
    private mutating func reserve(_ room: Int) { if capacity &- count < room { grow(room) } }

    @inline(never)
    private mutating func grow(_ room: Int) {
        let larger = max(capacity &* 2, count &+ room)
        let next = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        next.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (next, larger)
    }

    /// Writes a fixed part of every export.
    @inline(__always)
    mutating func write(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        (start + count).update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    /// Writes one byte.
    @inline(__always)
    mutating func write(sign: UInt8) {
        reserve(1)
        start[count] = sign
        count &+= 1
    }

    /// Writes a count, at most the highest number that 64 bits with a sign hold.
    @inline(__always)
    mutating func write(_ number: UInt64) {
        reserve(Self.numberRoom)
        if number < 10 {
            start[count] = UInt8(truncatingIfNeeded: number) &+ 0x30
            count &+= 1
        } else {
            writeLong(min(number, UInt64(Int64.max)))
        }
    }

    @inline(__always)
    private mutating func writeLong(_ number: UInt64) {
        var digits = 2
        var limit: UInt64 = 100
        while digits < 19, number >= limit {
            digits &+= 1
            limit = limit &* 10
        }
        var rest = number
        var place = start + count + digits
        while rest >= 10 {
            place -= 1
            let next = rest / 10
            place.pointee = UInt8(truncatingIfNeeded: rest &- next &* 10) &+ 0x30
            rest = next
        }
        (place - 1).pointee = UInt8(truncatingIfNeeded: rest) &+ 0x30
        count &+= digits
    }

    /// Writes a number and a comma.
    @inline(__always)
    mutating func write(withComma number: Int) {
        write(UInt64(truncatingIfNeeded: number))
        write(sign: 0x2C)
    }

    /// Writes a flag.
    @inline(__always)
    mutating func write(_ flag: Bool) { flag ? write("true") : write("false") }

    /// Writes a share in percent, with as many digits as identify the number.
    mutating func write(percent tally: CoverageTally) {
        if tally.covered == 0 { return write(0) }
        if tally.covered == tally.total { return write(100) }
        reserve(40)
        let percent = Double(tally.covered) / Double(tally.total) * 100
        let length = withVaList([percent]) { list in
            start.withMemoryRebound(to: CChar.self, capacity: capacity) { vsnprintf($0 + count, 40, "%.17g", list) }
        }
        count &+= Int(length)
    }

    /// Writes a text in quotes.
    mutating func write(text: UnsafeRawBufferPointer) throws(MappingFault) {
        reserve(text.count &* 6 &+ 2)
        write(sign: 0x22)
        var isASCII = true
        for byte in text {
            if byte >= 0x80 { isASCII = false }
            if byte == 0x22 || byte == 0x5C { write(sign: 0x5C) }
            // No source or function has a control character in its name.
            guard byte >= 0x20 else { throw .names }
            write(sign: byte)
        }
        guard isASCII || String(validating: text, as: UTF8.self) != nil else { throw .names }
        write(sign: 0x22)
    }
}
