import RunModel
import Testing

@Suite struct LocalPackageTests {
    @Test(arguments: [
        ("/w/app/Vendor/Kit", "/w/app", "Vendor/Kit"), ("/w/Kit", "/w/app", "../Kit"), ("/w/app", "/w/app", "."),
        ("/w/application", "/w/app", "../application"), ("/x", "/w/app", "../../x"),
        ("/w/app/é", "/w/app/e\u{301}", "../é"),
    ])
    func `a folder is named relative to the package`(folder: String, root: String, expected: String) {
        #expect(LocalPackage.relativePath(of: folder, to: root).utf8.elementsEqual(expected.utf8))
    }
}
