import Foundation
import Nightlatch
import NightlatchTesting
import Testing

@Suite("Secret bytes")
struct SecretBytesTests {
    @Test("Secret bytes are the copied bytes")
    func copied() {
        let secret = SecretBytes(copying: [1, 2, 3])
        let byteCount = secret.byteCount
        #expect(byteCount == 3)
        let bytes = bytes(of: secret)
        #expect(bytes == [1, 2, 3])
    }

    @Test("Secret bytes start as zeros and contain the written bytes")
    func written() {
        let secret = unsafe SecretBytes(byteCount: 4) { memory in
            #expect(unsafe memory.allSatisfy { $0 == 0 })
            unsafe memory[2] = 9
        }
        let bytes = bytes(of: secret)
        #expect(bytes == [0, 0, 9, 0])
    }

    @Test("An error while they are filled is thrown")
    func throwingFill() {
        struct Refusal: Error, Equatable {}
        #expect(throws: Refusal()) {
            _ = unsafe try SecretBytes(byteCount: 32) { memory throws(Refusal) in
                unsafe memory[0] = 1
                throw Refusal()
            }
        }
    }

    @Test("Secret bytes may be empty")
    func empty() {
        var none = Data()
        let secret = SecretBytes(wiping: &none)
        let byteCount = secret.byteCount
        #expect(byteCount == 0)
        expectEqual(secret, secret.copy())
    }

    @Test("Moving data into secret bytes leaves zeros in the old memory", arguments: [15, 64, 4096])
    func wiping(byteCount: Int) {
        let before = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 + 1) }
        let left = Shared<[UInt8]>([])
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        unsafe memory.copyBytes(from: before)
        guard let start = memory.baseAddress else { return }
        // The memory is read when the data releases it: nothing has written to it since.
        var data = unsafe Data(
            bytesNoCopy: start, count: byteCount,
            deallocator: .custom { pointer, count in
                left.withLock { left in
                    left = unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
                }
                unsafe pointer.deallocate()
            })
        let secret = SecretBytes(wiping: &data)
        let bytes = bytes(of: secret)
        #expect(bytes == before)
        #expect(data.isEmpty)
        #expect(left.withLock { $0 } == Array(repeating: 0, count: byteCount))
    }

    @Test("A copy is equal and has its own memory")
    func copy() {
        let secret = SecretBytes.random(byteCount: 32)
        let copy = secret.copy()
        expectEqual(secret, copy)
        let addresses = unsafe secret.withUnsafeBytes { first in
            unsafe copy.withUnsafeBytes { second in unsafe first.baseAddress == second.baseAddress }
        }
        #expect(!addresses)
    }

    @Test("Secrets that differ in one bit are not equal")
    func difference() {
        let zeros = SecretBytes(copying: Array(repeating: 0, count: 16))
        for bit in 0..<128 {
            var other = Array(repeating: UInt8(0), count: 16)
            other[bit / 8] = 1 << (bit % 8)
            expectNotEqual(zeros, SecretBytes(copying: other))
        }
    }

    @Test("Secrets of different lengths are not equal")
    func lengths() {
        expectNotEqual(SecretBytes(copying: [0]), SecretBytes(copying: [0, 0]))
        expectNotEqual(SecretBytes(copying: []), SecretBytes(copying: [0]))
    }

    @Test("Random secrets are new each time")
    func random() {
        expectNotEqual(.random(byteCount: 16), .random(byteCount: 16))
    }

    private func expectEqual(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) {
        // Macros take the checked expression apart, and cannot take a value that is not copyable.
        let isEqual = left.isEqual(to: right)
        #expect(isEqual)
    }

    private func expectNotEqual(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) {
        let isEqual = left.isEqual(to: right)
        #expect(!isEqual)
    }

    private func bytes(of secret: borrowing SecretBytes) -> [UInt8] {
        unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }
}
