package func greeting() -> String {
    "waiting"
}

package func isGreeting(_ text: String) -> Bool {
    text == greeting()
}
