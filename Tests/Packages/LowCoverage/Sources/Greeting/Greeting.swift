package func greeting(_ name: String, hour: Int) -> String {
    if hour < 0 {
        return "What time is it?"
    }
    if hour < 12 {
        return "Good morning, \(name)!"
    }
    if hour < 18 {
        return "Good afternoon, \(name)!"
    }
    return "Good evening, \(name)!"
}
