import Foundation

let text = "func made(_ x: Int) -> Int {\n    x + 1\n}\n"
try text.write(toFile: CommandLine.arguments[1], atomically: true, encoding: .utf8)
