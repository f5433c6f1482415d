package func smallestDivisor(of number: Int) -> Int {
    for divisor in 2..<10 where number % divisor == 0 && number > divisor {
        return divisor
    }
    return number
}

package func isPrime(_ number: Int) -> Bool {
    number > 1 && smallestDivisor(of: number) == number
}
