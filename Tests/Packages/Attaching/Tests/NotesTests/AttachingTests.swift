import Foundation
import Notes
import Testing

@Test func attachesNothing() {
    #expect(note() == "a note\n")
}

@Test(arguments: 1...2) func attachesTheSameNameTwice(number: Int) {
    Attachment.record("note \(number)", named: "note.txt")
}

@Test func attachesAPage() {
    Attachment.record("<script>alert(1)</script>", named: "page.html")
    Attachment.record("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", named: "picture.svg")
}

@Test func attachesUnderBadNames() {
    Attachment.record("outside", named: "../outside.txt")
    Attachment.record("reversed", named: "cod.\u{202E}txt.exe")
    Attachment.record("long", named: String(repeating: "n", count: 200) + ".txt")
}

@Test func attachesTooMuch() {
    Attachment.record([UInt8](repeating: 0, count: 17 << 20), named: "large.bin")
}

/// What no attachment is, in the folder where they are written.
@Test func leavesOtherThings() throws {
    let words = CommandLine.arguments
    let place = try #require(words.firstIndex(of: "--attachments-path")).advanced(by: 1)
    let folder = words[place]
    #expect(symlink("/etc/passwd", "\(folder)/link.txt") == 0)
    #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
    #expect(mkdir("\(folder)/folder", 0o700) == 0)
}
