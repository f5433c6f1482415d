/// The export of a mapping: the very bytes that llvm-cov writes, and what a reader would find in them.
package struct MappingExport: ~Copyable {
    /// What the export says, as if it were read.
    package let export: CoverageExport
    private let text: ExportText

    /// Exports a mapping as `llvm-cov export -format=text` does.
    package init(_ mapping: CoverageMapping) throws(MappingFault) {
        guard !mapping.functions.isEmpty, mapping.paths.count <= CoverageLimit.files,
            mapping.functions.count <= CoverageLimit.functions,
            mapping.regions.count <= CoverageLimit.regions
        else { throw .limit }
        try mapping.checkNames()
        var writer = MappingExporter(mapping)
        var text = ExportText(capacity: mapping.regions.count * 56 + mapping.names.text.count + 1 << 16)
        export = try writer.write(to: &text)
        self.text = text
    }

    /// The bytes, as long as `body` lasts.
    package borrowing func withBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(text.bytes)
    }
}
