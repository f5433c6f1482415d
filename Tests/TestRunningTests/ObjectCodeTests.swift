import Foundation
import RunModel
import Testing

@testable import TestRunning

@Suite struct ObjectCodeTests {
    /// As llvm-objdump of Swift 6.3.1 prints with `ObjectCode.arguments`.
    private static let text = """

        App.swift.o:	file format elf64-x86-64

        SYMBOL TABLE:
        0000000000000000 l    df *ABS*	0000000000000000 App.swift.o
        0000000000000000 l     O .data	0000000000000008 $s3AppTu
        0000000000000000 g     F .text	0000000000000077 .hidden limit_of
        0000000000000078 g     O .data	0000000000000058 .protected $s3App5ErrorCN
        0000000000000000  w    F .text	0000000000000025 .hidden __swift_helper
        0000000000000000         *UND*	0000000000000000 swift_task_switch
        Contents of section .strtab:
         0000 002e7465 78740024 73334170 70355061  ..text.$s3App5Pa
        Contents of section .rodata:
         0000 00000001 00000002                    ........
        Contents of section .swift_modhash:
         0000 3b000000 05000000                    ........
        Contents of section .debug_info:
         0000 1a000000 04000000                    ........

        Disassembly of section .text:

        <limit_of>:
                       	pushq	%rbp
                       	movl	$0x12345, %eax
                       	jmp	0x6b <limit_of+0x1a>
                       	retq
                       	nopl	(%rax,%rax)

        <$s3App2Q1VSivgTW>:
                       	callq	0x39 <$s3App2Q1VSivgTW+0x9>
                       	leaq	(%rip), %rdi            # <$s3App2Q1VSivgTWTA.304+0x47>
        		R_X86_64_PC32	.data.rel.ro+0x124
        		R_X86_64_PC32	$sxTRTA.315TQ0_-0x4
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
        ("002e7465", "112e7465"), ("3b000000", "4b000000"), ("TA.304+", "TA.7+"), ("ro+0x124", "ro-0x12"),
        ("A.315T", "A.2T"), ("00000001 00000002", "00000002 00000001"), ("00000002  ", "00000002 00000003  "),
        ("$s3AppTu", "$s3AppTv"), ("__swift_helper", "__swift_other"), ("swift_task_switch", "swift_task_create"),
    ])
    func `where code lies, what fills up, and what no program reads mean nothing`(old: String, new: String) throws {
        #expect(try differences(old, new) == [])
    }

    @Test(arguments: [
        ("$0x12345", "$0x12346", ["limit_of"]), ("$s3App2Q1V1vSivg-0x4", "$s3App2Q1V1wSivg-0x4", ["$s3App2Q1VSivgTW"]),
        ("<limit_of+0x1a>", "<limit_of+0x1b>", ["limit_of"]), ("limit_of", "other", ["limit_of", "other"]),
        ("00000002", "00000003", ["(data of .rodata)"]),
        ("$s3App5ErrorCN", "$s3App5OtherCN", ["$s3App5ErrorCN", "$s3App5OtherCN"]),
        ("ro+0x124", "rel+0x124", ["$s3App2Q1VSivgTW"]),
    ])
    func `instructions, names, functions and data do`(old: String, new: String, parts: [String]) throws {
        #expect(try differences(old, new) == parts)
    }

    private func exactDifferences(_ old: String, _ new: String) throws -> [String] {
        try #require(Self.text.contains(old))
        return ObjectCode(disassembly: Data(Self.text.replacing(old, with: new).utf8), isExact: true)
            .differences(from: ObjectCode(disassembly: Data(Self.text.utf8), isExact: true)).map(\.text)
    }

    @Test(arguments: [
        ("0x6b <", "0x9f <"), ("1a000000", "2a000000"), ("002e7465", "112e7465"),
        ("section .strtab", "section .rela.debug_info"), ("swift_task_switch", "swift_task_create"),
    ])
    func `of an object that is exact, places that code leads to and what no program reads mean nothing`(
        old: String, new: String
    ) throws {
        #expect(try exactDifferences(old, new) == [])
    }

    @Test(arguments: [
        // Longer, shorter, in another order, and of another name.
        ("00000002  ", "00000002 00000003  ", ["(data of .rodata)"]),
        ("00000001 00000002 ", "00000001 ", ["(data of .rodata)"]),
        ("00000001 00000002", "00000002 00000001", ["(data of .rodata)"]),
        ("section .rodata", "section .rodata.cst8", ["(data of .rodata)", "(data of .rodata.cst8)"]),
        ("section .strtab", "section .rela.data", ["(data of .rela.data)"]),
        ("section .strtab", "section .text", ["(data of .text)"]),
        ("nopl\t(", "nopw\t(", ["limit_of"]), ("ro+0x124", "ro+0x128", ["$s3App2Q1VSivgTW"]),
        ("TA.304+", "TA.7+", ["$s3App2Q1VSivgTW"]), ("<limit_of>", "<other_of>", ["limit_of", "other_of"]),
        ("PLT32\t$s3App2Q1V1vSivg", "PLT32\t$s3App2Q1V1vQo_", ["$s3App2Q1VSivgTW"]),
    ])
    func `all else of it does`(old: String, new: String, parts: [String]) throws {
        #expect(try exactDifferences(old, new) == parts)
    }

    @Test func `exact is what other compilers than that of Swift make of a source`() {
        let names = [
            "C.build/table.c.o", "C.build/x.cpp.o", "C.build/a.S.o", "M.build/M.swift.o", "M.build/M.o", "M.o",
        ]
        #expect(names.map { ObjectCode.isExact("/p/\($0)") } == [true, true, true, false, false, false])
    }

    @Test func `code that sees through an opaque type is compared with none that does not`() throws {
        let uses = "R_X86_64_PC32\t$s3App4makeQryFQOy_Qo_MD-0x4"
        #expect(try differences("R_X86_64_PLT32\t$s3App2Q1V1vSivg-0x4", uses) == [])
        let both = Self.text.replacing("R_X86_64_PLT32\t$s3App2Q1V1vSivg-0x4", with: uses)
        let other = ObjectCode(disassembly: Data(both.replacing("$0x12345", with: "$0x12346").utf8))
        #expect(other.differences(from: ObjectCode(disassembly: Data(both.utf8))) == [Name("limit_of")])
    }

    @Test func `where the words of a full line lie means nothing`() {
        func object(_ words: String, _ text: String) -> ObjectCode {
            ObjectCode(disassembly: Data("Contents of section .rodata:\n 0000 \(words)  \(text)\n".utf8))
        }
        let code = object("61616161 62626262 63636363 64646464", "aaaabbbbccccdddd")
        #expect(code.differences(from: object("64646464 63636363 62626262 61616161", "ddddccccbbbbaaaa")) == [])
        #expect(
            code.differences(from: object("61616161 62626262 63636363 65656565", "aaaabbbbcccceeee"))
                == [Name("(data of .rodata)")])
    }

    @Test func `no text is no code`() {
        #expect(ObjectCode(disassembly: Data()).functions == [:])
        #expect(ObjectCode(disassembly: Data("<".utf8)).functions == [:])
    }

    @Test func `instructions count in any order where order is left to chance, and only there`() {
        let (push, move) = ("               \tpushq\t%rbp\n", "               \tmovl\t$0x12345, %eax\n")
        let swapped = Data(Self.text.replacing(push + move, with: move + push).utf8)
        let other = Data(Self.text.replacing(move, with: move.replacing("45", with: "46")).utf8)
        #expect(swapped != Data(Self.text.utf8) && other != Data(Self.text.utf8))
        func differences(_ text: Data, anyOrder: Bool) -> [String] {
            ObjectCode(disassembly: text, anyOrder: anyOrder)
                .differences(from: ObjectCode(disassembly: Data(Self.text.utf8), anyOrder: anyOrder)).map(\.text)
        }
        #expect(differences(swapped, anyOrder: false) == ["limit_of"])
        #expect(differences(swapped, anyOrder: true) == [])
        #expect(differences(other, anyOrder: true) == ["limit_of"])
    }
}
