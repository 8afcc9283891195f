import Nightlatch
import Testing

@Suite("PIN")
struct PinTests {
    @Test("A PIN has four to twelve digits", arguments: 4...12)
    func lengths(length: Int) throws {
        let pin = try Pin(String(repeating: "7", count: length))
        let count = pin.length
        #expect(count == length)
    }

    @Test("Fewer or more digits are refused", arguments: [0, 1, 3, 13, 100])
    func wrongLengths(length: Int) {
        #expect(throws: PinFormatError.length(allowed: 4...12)) {
            _ = try Pin(String(repeating: "7", count: length))
        }
    }

    @Test(
        "Anything but ASCII digits is refused",
        arguments: ["12a4", "12 4", "-123", "12.4", "１２３４", "٠١٢٣", "123\0", "/:/:"])
    func notDigits(text: String) {
        #expect(throws: PinFormatError.notDigits) { _ = try Pin(text) }
    }

    @Test("The same digits are the same PIN, leading zeros included")
    func equality() throws {
        #expect(try areEqual("0042", "0042"))
        #expect(try !areEqual("0042", "0043"))
        #expect(try !areEqual("0042", "00042"))
    }

    @Test("A copy is the same PIN")
    func copy() throws {
        let pin = try Pin("0042")
        let isEqual = pin.isEqual(to: pin.copy())
        #expect(isEqual)
    }

    private func areEqual(_ left: String, _ right: String) throws -> Bool {
        let left = try Pin(left)
        let right = try Pin(right)
        return left.isEqual(to: right)
    }
}
