/// How many numbers below a limit are odd.
package func oddNumbers(below limit: Int) -> Int {
    var odd = 0
    for number in 0..<limit {
        if number < 0 {
            odd -= 1
        } else if number % 2 == 1 {
            odd += 1
        }
    }
    return odd
}
