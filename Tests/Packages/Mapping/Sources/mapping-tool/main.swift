import Foundation
import Mapping

print(onlyInTheTool())
if CommandLine.arguments.count > 1 {
    fflush(nil)
    _ = readLine()
}
