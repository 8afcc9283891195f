internal import CNightlatchZeroing
public import Foundation
internal import NightlatchWire

/// Bytes that must not outlive their use: one owner, no implicit copies, overwritten with zeros at the end.
///
/// The type is not copyable, so every copy is explicit (``copy()``), and so is every transfer to another owner. It has
/// no text form.
///
/// Two things are outside its control: the system may write memory to a swap file, and a caller's closure may copy the
/// borrowed bytes.
@safe
// Safe to send: the memory belongs to this value alone, is written only before `init` returns and freed only in
// `deinit`, which runs when no code can hold the value any more.
public struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    /// Allocates `byteCount` bytes, all zero, and lends them to `write`, which fills them.
    ///
    /// - Throws: The error of `write`; the memory is then wiped and freed.
    public init<Failure: Error>(
        byteCount: Int,
        _ write: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let filling = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        unsafe filling.initializeMemory(as: UInt8.self, repeating: 0)
        do {
            unsafe try write(filling)
        } catch {
            unsafe Self.wipe(filling)
            unsafe filling.deallocate()
            throw error
        }
        // This comes last: once every property is set, `deinit` runs even if this initializer throws.
        unsafe memory = filling
    }

    /// Copies `bytes`. The caller must wipe its own copy; ``init(wiping:)`` copies and wipes.
    public init(copying bytes: some Collection<UInt8>) {
        unsafe self.init(byteCount: bytes.count) { memory in unsafe memory.copyBytes(from: bytes) }
    }

    /// Copies `data` and overwrites the original with zeros.
    ///
    /// The original is overwritten only if nothing else shares its storage, as with data that a function has just
    /// returned.
    public init(wiping data: inout Data) {
        self.init(copying: data)
        unsafe data.withUnsafeMutableBytes { unsafe Self.wipe($0) }
        data.removeAll()
    }

    /// Returns `byteCount` bytes from the system's cryptographically secure generator.
    public static func random(byteCount: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: byteCount) { memory in unsafe fillWithRandomBytes(memory) }
    }

    deinit {
        unsafe Self.wipe(memory)
        unsafe memory.deallocate()
    }

    /// The number of bytes.
    public var byteCount: Int { unsafe memory.count }

    /// Lends the bytes to `body`, which must not keep the pointer.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(UnsafeBufferPointer(memory.assumingMemoryBound(to: UInt8.self)))
    }

    /// Returns an independent copy of the bytes.
    public borrowing func copy() -> SecretBytes {
        unsafe withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
    }

    /// Whether both hold the same bytes. The time depends only on their lengths.
    public borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var difference: UInt8 = 0
        for index in 0..<byteCount {
            unsafe difference |= memory[index] ^ other.memory[index]
        }
        return difference == 0
    }

    private static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        unsafe nightlatch_zero(start, memory.count)
    }
}
