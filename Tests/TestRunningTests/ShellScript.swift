/// Pieces of the scripts that the tests let a shell run.
enum ShellScript {
    /// Waits until what was put in the background is `sleep`, however long a busy machine takes to get there.
    static let untilItSleeps = #"until read -r name < /proc/$!/comm && [ "$name" = sleep ]; do sleep 0.01; done"#
}
