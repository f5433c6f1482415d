package func greeting(_ name: String) -> Int {
    "Hello, \(name)!"
}
