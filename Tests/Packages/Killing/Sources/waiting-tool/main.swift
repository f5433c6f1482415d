import Foundation
import Killing

print(greeting())
fflush(nil)
_ = readLine()
