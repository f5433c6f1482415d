/// The modules of swift-syntax and of the standard library that a macro may import without being able to read files or variables.
///
/// A module that is called another way may do so, even if its name begins alike: `SwiftGlibc` has the functions of C.
enum SyntaxModules {
    /// Whether a module is one of them.
    static func contains(_ module: Substring) -> Bool {
        // Those that only say which version there is, such as `SwiftSyntax601`.
        let version = module.hasPrefix("SwiftSyntax") ? module.dropFirst("SwiftSyntax".count) : ""
        return names.contains(String(module)) || !version.isEmpty && version.allSatisfy(\.isNumber)
    }

    private static let names: Set<String> = [
        "Swift", "SwiftBasicFormat", "SwiftCompilerPlugin", "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics",
        "SwiftIDEUtils", "SwiftIfConfig", "SwiftLexicalLookup", "SwiftLibraryPluginProvider", "SwiftOperators",
        "SwiftParser", "SwiftParserDiagnostics", "SwiftRefactor", "SwiftSyntax", "SwiftSyntaxBuilder",
        "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros", "SwiftSyntaxMacrosGenericTestSupport",
        "SwiftSyntaxMacrosTestSupport",
    ]
}
