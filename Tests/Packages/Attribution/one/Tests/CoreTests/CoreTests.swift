import Core
import Testing

@Test func drives() {
    let car = Car()
    car.go()
    #expect(car.speed == 2)
}
