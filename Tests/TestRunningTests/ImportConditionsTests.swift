import Foundation
import Testing

@testable import TestRunning

@Suite struct ImportConditionsTests {
    private func modules(in text: String) -> Set<String> { ImportConditions.modules(in: Data(text.utf8)) }

    @Test func `the modules that a source asks for are found in whatever form`() {
        #expect(
            modules(in: "#if canImport(Lib) && !canImport( `App` )\n#elseif canImport(Kit.Inner, _version: 2)\n#endif")
                == ["Lib", "App", "Kit"])
        #expect(modules(in: "#if canImport\n(Größe_2)") == ["Größe_2"])
        #expect(modules(in: "// canImport(Old)") == ["Old"])
    }

    @Test func `what asks for nothing names nothing, wherever a source ends`() {
        #expect(modules(in: "import Lib\nlet canImport = 1\ncanImportMore(Lib)\ncanImport()") == [])
        let text = "#if canImport(Lib)"
        for count in 0..<text.count {
            #expect(modules(in: String(text.prefix(count))).subtracting(["L", "Li", "Lib"]) == [])
        }
    }

    @Test func `a file that is not there asks for nothing`() {
        #expect(ImportConditions.modules(in: [Array("/nowhere/Lib.swift".utf8)]) == [])
    }
}
