import TestRunning
import Testing

@Suite struct PackageManifestTextTests {
    @Test(arguments: [
        (#"let package = Package(name: "Kit")"#, "Kit"),
        ("let package = Package(\n    name : \"日本語 キット\",\n    targets: [])", "日本語 キット"),
        (#"let package = Package(/* was "Old" */ name: "Kit")"#, "Kit"),
        ("// Package(name: \"Old\")\n/* /* Package(name: \"Older\") */ */ let package = Package(name: \"Kit\")", "Kit"),
        (#"let url = "https://example.com/a /* b"; let package = Package(name: "Kit")"#, "Kit"),
        (#"let text = "a \" // b"; let package = Package(name: "Kit")"#, "Kit"),
        ("let package = Package( // a comment\n    name: \"Kit\")", "Kit"),
    ])
    func `a literal name in the manifest is read`(source: String, name: String) {
        #expect(PackageManifest.literalName(in: source) == name)
    }

    @Test(arguments: [
        "", "/*", "\"", "\"\\", "let package = Package(name: name)", #"let package = Package(name: "Kit\(version)")"#,
        #"let package = Package(name: "")"#, #"let package = MyPackage(name: "Kit")"#, #"// Package(name: "Kit")"#,
        #".package(name: "Kit", path: "../Kit")"#, #"let package = Package(name: "\u{4B}it")"#,
    ])
    func `a name that is computed or missing is not guessed`(source: String) {
        #expect(PackageManifest.literalName(in: source) == nil)
    }

    @Test(
        arguments: [
            (".target(name: \"Kit\")", []), (".target(name: \"Kit\", path: \"Library\")", ["Library/"]),
            (".target(path : \"./Library/Kit/\"), .target(path: \".\")", ["Library/Kit/", ""]),
            ("// path: computed\n.package(path: \"../Kit\")", ["../Kit/"]), (".target(path: folder)", nil),
            (".target(path: \"a\", xpath: b)", ["a/"]), (".target(path: \"a\"), .target(path: \"\\(b)\")", nil),
        ] as [(String, [String]?)])
    func `the folders that a manifest names are read`(source: String, folders: [String]?) {
        #expect(PackageManifest.literalFolders(in: source) == folders)
    }
}
