/// Argon2id, version 1.3 ([RFC 9106](https://www.rfc-editor.org/rfc/rfc9106)).
///
/// A key derivation in which every guess takes memory as well as time, so an attacker gains little from many small
/// processors.
///
/// ```swift
/// var memory = try Argon2id.Memory(for: parameters)
/// unsafe memory.deriveKey(from: password, salt: salt, into: output)
/// ```
///
/// Lanes are filled one after the other, on one core. The key is that of RFC 9106 for any number of lanes.
public enum Argon2id {
    /// The shortest possible key, in bytes.
    public static let shortestKeyByteCount = 4

    static let version: UInt32 = 0x13
    static let type: UInt32 = 2
}

extension Argon2id.Memory {
    /// Fills `output` with the key, and then wipes the memory and the stack.
    ///
    /// The duration depends on the parameters. The derivation cannot be interrupted. The memory can be used again.
    ///
    /// - Parameters:
    ///   - password: The message `P` of RFC 9106.
    ///   - salt: The nonce `S`; 16 bytes are enough.
    ///   - secret: The secret value `K`; empty for none.
    ///   - associatedData: The associated data `X`; empty for none.
    ///   - output: The buffer for the tag, 4 bytes or more. A shorter tag is not a prefix of a longer one.
    public mutating func deriveKey(
        from password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        secret: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
        associatedData: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count >= Argon2id.shortestKeyByteCount, "a key needs at least 4 bytes")
        let matrix = unsafe Argon2id.Matrix(parameters: parameters, region: region)
        defer { wipe() }
        unsafe matrix.fillFirstColumns(
            password: password, salt: salt, secret: secret, associatedData: associatedData,
            outputByteCount: output.count)
        for pass in 0..<parameters.passes {
            for slice in 0..<Argon2id.Matrix.sliceCount {
                for lane in 0..<parameters.lanes {
                    matrix.fillSegment(pass: pass, slice: slice, lane: lane)
                }
            }
        }
        unsafe matrix.digestLastColumn(into: output)
    }
}
