import Foundation
import Mutation
import RunModel

/// A class as the sources of one module declare it, extensions included; or another name of a class, which has no tests.
struct TestClass {
    let module: String
    let name: String
    /// Whether it is declared in a test target, and not only another name.
    var isTest: Bool
    /// What stands first behind the colon, without generic arguments; `nil` where only extensions were found.
    var parent: String?
    var tests: [String] = []

    mutating func add(_ other: TestClass) {
        isTest = isTest || other.isTest
        parent = parent ?? other.parent
        tests += other.tests
    }

    /// The tests of all classes above; `nil` where one of these is not known to be of XCTest.
    func inherited(among classes: [Name: [TestClass]]) -> Set<Name>? {
        var found: Set<Name> = []
        var current = self
        // As many as there are classes: a circle does not compile, but it can be written.
        for _ in 0...classes.count {
            guard let parent = current.parent else { return nil }
            if parent == "XCTestCase" { return found }
            guard let above = classes[Name(parent)] else { return nil }
            current = above.first { $0.module == current.module } ?? above[0]
            found.formUnion(current.tests.map { Name($0) })
        }
        return nil
    }

    /// The classes that a source may declare, each with what stands first behind the colon, and other names of classes, each with what it
    /// stands for: a look at the text, comments included.
    static func heads(in bytes: [UInt8]) -> [(name: Name, parent: Name)] {
        heads(in: bytes, behind: "class ", before: UInt8(ascii: ":"))
            + heads(in: bytes, behind: "typealias ", before: UInt8(ascii: "="))
    }

    private static func heads(
        in bytes: [UInt8], behind keyword: String, before sign: UInt8
    ) -> [(name: Name, parent: Name)] {
        var heads: [(name: Name, parent: Name)] = []
        var rest = bytes[...]
        while let found = rest.place(of: keyword) {
            rest = rest[(found + keyword.utf8.count)...]
            // The colon of a generic parameter is not that of the class.
            let head = withoutGenerics(rest.prefix(400).prefix { $0 != UInt8(ascii: "{") })
            guard let place = head.firstIndex(of: sign) else { continue }
            let name = head.drop { $0 == UInt8(ascii: " ") }.prefix(while: isWord)
            let blanks = head[(place + 1)...].drop { !isWord($0) }
            let parent = blanks.prefix { isWord($0) || $0 == UInt8(ascii: ".") }
            let last = parent.lastIndex(of: UInt8(ascii: ".")).map { parent[($0 + 1)...] } ?? parent
            heads.append((Name(String(decoding: name, as: UTF8.self)), Name(String(decoding: last, as: UTF8.self))))
        }
        return heads
    }

    /// A text without what stands between angle brackets; the arrow of a function has none.
    private static func withoutGenerics(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var kept: [UInt8] = []
        var depth = 0
        var last: UInt8 = 0
        for byte in text {
            let isArrow = byte == UInt8(ascii: ">") && last == UInt8(ascii: "-")
            last = byte
            if byte == UInt8(ascii: "<") {
                depth += 1
            } else if byte == UInt8(ascii: ">"), !isArrow {
                depth = max(0, depth - 1)
            } else if depth == 0 {
                kept.append(byte)
            }
        }
        return kept
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Whether a name stands anywhere in a source.
    static func isNamed(_ name: Name, in bytes: [UInt8]) -> Bool { bytes[...].place(of: name.text) != nil }

    /// The classes and extensions of a source, by name; none where it cannot be read to its end.
    static func declared(in source: UndiscoveredTests.Source) -> [(name: Name, found: TestClass)] {
        guard let tokens = SwiftTokens(source.bytes, in: source.bytes.indices) else { return [] }
        var reader = TestClassReader(source, tokens)
        return reader.read().map { (Name($0.name), $0) }
    }
}

/// Walks through the words and signs of a source.
private struct TestClassReader {
    private let source: UndiscoveredTests.Source
    private let tokens: SwiftTokens
    private var place = 0
    private var found: [TestClass] = []
    /// The class whose braces are open, for each open brace; `nil` for braces of anything else.
    private var open: [Int?] = []
    /// For each open `#if` whether it, or a part of it before, may be compiled, and whether this part may.
    private var conditions: [(isSettled: Bool, isActive: Bool)] = []

    init(_ source: UndiscoveredTests.Source, _ tokens: SwiftTokens) { (self.source, self.tokens) = (source, tokens) }

    mutating func read() -> [TestClass] {
        while place < tokens.tokens.count {
            if isSign("#") {
                readCondition()
            } else if isSign("{") {
                open.append(nil)
                place += 1
            } else if isSign("}") {
                _ = open.popLast()
                place += 1
            } else if conditions.allSatisfy(\.isActive) {
                readDeclaration()
            } else {
                place += 1
            }
        }
        return found
    }

    private func word(_ offset: Int = 0) -> String? {
        guard tokens.tokens.indices.contains(place + offset), tokens.tokens[place + offset].kind == .word else {
            return nil
        }
        return tokens.text(tokens.tokens[place + offset])
    }

    private func isSign(_ sign: Character, _ offset: Int = 0) -> Bool {
        tokens.tokens.indices.contains(place + offset) && tokens.isSign(tokens.tokens[place + offset], sign)
    }

    private mutating func readDeclaration() {
        switch word() {
        case "class" where !["func", "var", "let", "subscript", "override"].contains(word(1)), "extension":
            let isClass = word() == "class"
            guard let name = word(1) else {
                place += 1
                return
            }
            place += 2
            readType(name, isClass: isClass)
        case "typealias": readAlias()
        case "func": readFunction()
        default: place += 1
        }
    }

    /// Reads from behind a type's name to its brace.
    private mutating func readType(_ first: String, isClass: Bool) {
        var name = first
        var parent: String?
        var depth = 0
        var isBehindColon = false
        while place < tokens.tokens.count, !isSign("{"), !isSign("}"), !isSign("#") {
            if isSign("<") { depth += 1 }
            if isSign(">"), !isSign("-", -1) { depth -= 1 }
            if depth == 0, isSign(":") { isBehindColon = true }
            if depth == 0, word() == "where" { depth = .min / 2 }
            if depth == 0, let word = word() {
                if !isBehindColon {
                    // `extension Outer.Inner`
                    if isSign(".", -1) { name = word }
                } else if parent == nil || isSign(".", -1), !isSign(",", -1) {
                    parent = word
                } else if isSign(",", -1) {
                    depth = .min / 2
                }
            }
            place += 1
        }
        guard isSign("{") else { return }
        found.append(
            TestClass(module: source.module, name: name, isTest: source.isTest, parent: isClass ? parent : nil))
        open.append(found.count - 1)
        place += 1
    }

    /// Reads `typealias Base = Kit.Contract<Json>` and the like.
    private mutating func readAlias() {
        guard let name = word(1) else {
            place += 1
            return
        }
        place += 2
        skipGenerics()
        guard isSign("=") else { return }
        place += 1
        guard var parent = word() else { return }
        place += 1
        skipGenerics()
        while isSign("."), let inner = word(1) {
            parent = inner
            place += 2
            skipGenerics()
        }
        found.append(TestClass(module: source.module, name: name, isTest: false, parent: parent))
    }

    /// Moves behind what stands between angle brackets, if they begin here.
    private mutating func skipGenerics() {
        guard isSign("<") else { return }
        var depth = 0
        while place < tokens.tokens.count {
            if isSign("<") { depth += 1 }
            if isSign(">"), !isSign("-", -1) { depth -= 1 }
            place += 1
            if depth == 0 { return }
        }
    }

    /// A test has no parameters, returns nothing, and is nobody's secret.
    private mutating func readFunction() {
        defer { place += 1 }
        guard let owner = open.last ?? nil, let name = word(1), name.hasPrefix("test"), isSign("(", 2), isSign(")", 3)
        else { return }
        var before = -1
        while let modifier = word(before) {
            if ["static", "class", "private", "fileprivate"].contains(modifier) { return }
            guard Self.modifiers.contains(modifier) else { break }
            before -= 1
        }
        var behind = 4
        while ["async", "throws", "rethrows"].contains(word(behind)) { behind += 1 }
        if isSign("-", behind), isSign(">", behind + 1), word(behind + 2) != "Void", !isSign("(", behind + 2) { return }
        found[owner].tests.append(name)
    }

    private static let modifiers: Set = [
        "override", "open", "public", "internal", "package", "final", "nonisolated", "mutating",
    ]

    // MARK: Conditions

    private mutating func readCondition() {
        let line = restOfLine()
        switch word(1) {
        case "if":
            let isActive = Self.mayHold(line)
            conditions.append((isSettled: Self.mustHold(line), isActive: isActive))
        case "elseif":
            guard let last = conditions.popLast() else { break }
            conditions.append(
                (last.isSettled || Self.mustHold(line), isActive: !last.isSettled && Self.mayHold(line)))
        case "else":
            guard let last = conditions.popLast() else { break }
            conditions.append((last.isSettled, isActive: !last.isSettled))
        case "endif": _ = conditions.popLast()
        default: break
        }
        place += 1
    }

    /// The words of a condition behind `#if`.
    private func restOfLine() -> String {
        guard tokens.tokens.indices.contains(place + 1) else { return "" }
        let start = tokens.tokens[place + 1].range.upperBound
        let line = source.bytes[start...].prefix { $0 != UInt8(ascii: "\n") }
        return String(decoding: line, as: UTF8.self).replacing(" ", with: "")
    }

    private static let elsewhere: Set = [
        "os(macOS)", "os(iOS)", "os(tvOS)", "os(watchOS)", "os(visionOS)", "os(Windows)", "canImport(Darwin)",
        "canImport(ObjectiveC)", "canImport(UIKit)", "canImport(AppKit)", "canImport(SwiftUI)", "!os(Linux)", "false",
    ]

    /// Whether code of a condition may be compiled on Linux.
    private static func mayHold(_ condition: String) -> Bool {
        !condition.split(separator: "||").allSatisfy { elsewhere.contains(String($0)) }
    }

    /// Whether it is certainly compiled there, so that what stands behind `#else` is not.
    private static func mustHold(_ condition: String) -> Bool {
        let opposites = elsewhere.map { $0.hasPrefix("!") ? String($0.dropFirst()) : "!\($0)" } + ["true"]
        return condition.split(separator: "||").contains { opposites.contains(String($0)) }
    }
}

extension ArraySlice<UInt8> {
    /// Where a text begins for the first time.
    fileprivate func place(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return nil }
        return withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = 0
            while place + wanted.count <= bytes.count {
                let rest = bytes.count - place - wanted.count + 1
                guard let found = memchr(base + place, Int32(first), rest) else { return nil }
                place = UnsafeRawPointer(found) - base
                if memcmp(base + place, wanted, wanted.count) == 0 { return startIndex + place }
                place += 1
            }
            return nil
        }
    }
}
