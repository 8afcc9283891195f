import Nightlatch
import NightlatchTesting
import Testing

@Suite("Box for a PIN")
struct PinBoxTests {
    @Test("The box returns its PIN once")
    func once() throws {
        let box = PinBox(try Pin(TestPin.right))
        let expected = try Pin(TestPin.right)
        guard let pin = box.take() else {
            Issue.record("the box is empty")
            return
        }
        let isRight = pin.isEqual(to: expected)
        #expect(isRight)
        for _ in 0..<3 {
            let isEmpty = box.take() == nil
            #expect(isEmpty)
        }
    }

    @Test("If many callers take the PIN at the same time, exactly one gets it")
    func atOnce() async throws {
        for _ in 0..<20 {
            let box = PinBox(try Pin(TestPin.right))
            let taken = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        guard let pin = box.take() else { return 0 }
                        return pin.length
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(taken == 6)
        }
    }
}
