package struct Greeting {
    package var name: String

    package init(name: String) {
        self.name = name
    }

    package var text: String {
        if name.isEmpty {
            return "Hello!"
        }
        return "Hello, \(name)!"
    }
}
