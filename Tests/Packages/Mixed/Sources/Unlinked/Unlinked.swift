package func unlinked() -> Int {
    42
}
