import RunModel
import Testing

@testable import Application

/// Of which package a hook says without its tests that nothing has changed for it.
@Suite struct UnchangedPackageTests {
    @Test(arguments: [
        (LocalPackage(path: "Packages/Core", modules: ["Core"]), true),
        (LocalPackage(path: "Packages/Empty", modules: []), true),
        // It may depend on anything.
        (LocalPackage(path: "Packages/Core", modules: nil), false),
        (LocalPackage(path: "../Core", modules: ["Core"]), false),
        (LocalPackage(path: "Packages/../../Core", modules: ["Core"]), false),
        (LocalPackage(path: "/elsewhere/Core", modules: ["Core"]), false),
    ])
    func `a package that it depends on is inside only if it is known to be, with all that it depends on in turn`(
        package: LocalPackage, isInside: Bool
    ) {
        #expect(UnchangedPackage.isInside(package) == isInside)
    }
}
