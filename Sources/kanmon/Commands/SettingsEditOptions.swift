import Application
import ArgumentParser

/// The options of the commands that change the settings file of a package, and how such a command ends.
struct SettingsEditOptions: ParsableArguments {
    @Flag(help: "Print the new settings instead of writing the file.")
    var print = false

    @OptionGroup var package: PackageOptions
    @OptionGroup var store: StoreOptions

    /// Prints the new settings; or writes them, says what was done, and how to commit it.
    ///
    /// - Parameters:
    ///   - text: The new settings.
    ///   - words: What was done.
    ///   - title: The title of the commits.
    ///   - neededWaiver: Answers what lets the edit through, `nil` for one that weakens nothing; asked only where the file is written.
    /// - Throws: What `neededWaiver` throws, or `Problem` if the file cannot be written.
    func end(
        _ edit: SettingsEdit, with text: String, words: String, title: String,
        waiver neededWaiver: () throws -> SettingsEdit.Waiver?
    ) throws {
        if print { return StandardStreams.print(text) }
        let waiver = try neededWaiver()
        try edit.write(text)
        StandardStreams.print(words)
        StandardStreams.tell(edit.commits(title, waiver))
    }
}
