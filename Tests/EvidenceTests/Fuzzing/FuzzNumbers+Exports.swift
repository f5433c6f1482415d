extension FuzzNumbers {
    /// What breaks an export, or nearly.
    static let jsonPieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u00e9", "\\ud83d", "0", "00", "7", "-", ".", "1.5", "e3", "true",
        "false",
        "null", " ", "\n", "\t", "\u{1}", "é", "[]", "{}", "[1,2]", "[[1],[2,3]]", "\"a\":1,", "12345678",
        "123456789012345678",
        "18446744073709551615", "99999999999999999999", "],[", "[0,", ",0]", "true,true,false", "\"files\"",
    ]

    /// A sound export: files with segments on up to a few hundred lines, and functions with their regions.
    mutating func export() -> [UInt8] {
        var files: [String] = []
        var functions: [String] = []
        for file in 0..<below(4) {
            var segments: [String] = []
            var line = 1
            for _ in 0..<below(30) {
                line += below(4)
                let count = pick([0, 1, 12, 1_234_567, 12_345_678, 123_456_789, 1_234_567_890_123_456_789])
                let flags = pick([
                    "true,true,false", "true,false,false", "false,false,false", "true,true,true", "false,true,false",
                ])
                segments.append("[\(line),\(1 + below(300)),\(count),\(flags)]")
            }
            for _ in 0..<below(3) {
                let regions = (0..<1 + below(5)).map { _ -> String in
                    let (first, column) = (1 + below(200), 1 + below(90))
                    return
                        "[\(first),\(column),\(first + below(30)),\(column + below(9)),\(below(1 << below(40))),0,0,\(below(4) / 3)]"
                }
                let name = "s\(below(99))" + String(repeating: "with7options", count: below(8))
                functions.append(
                    #"{"branches":[],"count":\#(below(9)),"filenames":["/p/\#(file).swift"],"mcdc_records":[],"name":"$\#(name)","#
                        + #""regions":[\#(regions.joined(separator: ","))]}"#)
            }
            let summary =
                #"{"branches":{"count":0,"percent":0.5e-1},"functions":{"count":3,"covered":\#(below(4))},"#
                + #""regions":{"count":9,"covered":\#(below(10)),"notcovered":1}}"#
            files.append(
                #"{"branches":[],"expansions":[[],[[1,22],[[]],3]],"filename":"/p/\#(file).swift","segments":["#
                    + #"\#(segments.joined(separator: ","))],"summary":\#(summary)}"#)
        }
        return Array(
            (#"{"data":[{"files":[\#(files.joined(separator: ","))],"functions":[\#(functions.joined(separator: ","))],"#
                + #""totals":{"lists":[[0,10,200],[[],[7]],[123456789012345678901,0]]}}],"#
                + #""type":"llvm.coverage.json.export","version":"3.0.1"}"# + String(repeating: " ", count: below(99)))
                .utf8)
    }
}
