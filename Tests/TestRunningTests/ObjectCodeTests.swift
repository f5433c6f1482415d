import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct ObjectCodeTests {
    /// As llvm-objdump of Swift 6.3.1 prints with `ObjectCode.arguments`.
    private static let text = """

        App.swift.o:	file format elf64-x86-64
        Contents of section .strtab:
         002e7465 78740024 73334170 70355061  ..text.$s3App5Pa
        Contents of section .rodata:
         00000001 00000002                    ........
        Contents of section .swift_modhash:
         3b000000 05000000                    ........
        Contents of section .debug_info:
         1a000000 04000000                    ........

        Disassembly of section .text:

        <limit_of>:
                       	pushq	%rbp
                       	movl	$0x12345, %eax
                       	jmp	0x6b <limit_of+0x1a>
                       	retq
                       	nopl	(%rax,%rax)

        <$s3App2Q1VSivgTW>:
                       	callq	0x39 <$s3App2Q1VSivgTW+0x9>
        		R_X86_64_PLT32	$s3App2Q1V1vSivg-0x4
                       	retq

        """

    private func differences(_ old: String, _ new: String) throws -> [String] {
        try #require(Self.text.contains(old))
        return ObjectCode(disassembly: Data(Self.text.replacing(old, with: new).utf8))
            .differences(from: ObjectCode(disassembly: Data(Self.text.utf8))).map(\.text)
    }

    @Test(arguments: [
        ("0x6b <", "0x9f <"), ("0x39 <", "0x1242 <"), ("nopl\t(", "nopw\t("), ("1a000000", "2a000000"),
        ("002e7465", "112e7465"), ("3b000000", "4b000000"),
    ])
    func `where code lies, what fills up, and what no program reads mean nothing`(old: String, new: String) throws {
        #expect(try differences(old, new) == [])
    }

    @Test(arguments: [
        ("$0x12345", "$0x12346", ["limit_of"]), ("$s3App2Q1V1vSivg-0x4", "$s3App2Q1V1wSivg-0x4", ["$s3App2Q1VSivgTW"]),
        ("<limit_of+0x1a>", "<limit_of+0x1b>", ["limit_of"]), ("<limit_of>:", "<other>:", ["limit_of", "other"]),
        ("00000002", "00000003", ["(data of .rodata)"]),
    ])
    func `instructions, names, functions and data do`(old: String, new: String, parts: [String]) throws {
        #expect(try differences(old, new) == parts)
    }

    @Test func `no text is no code`() {
        #expect(ObjectCode(disassembly: Data()).parts == [:])
        #expect(ObjectCode(disassembly: Data("<".utf8)).parts == [:])
    }
}
