import NightlatchArgon2

/// All inputs of one derivation.
struct Derivation {
    var password: [UInt8]
    var salt: [UInt8]
    var secret: [UInt8] = []
    var associatedData: [UInt8] = []
    var memoryKibibytes: Int
    var passes: Int
    var lanes: Int
    var byteCount: Int

    struct Impossible: Error {}

    func key() throws -> [UInt8] {
        guard
            let parameters = Argon2id.Parameters(
                memoryKibibytes: memoryKibibytes, passes: passes, lanes: lanes)
        else { throw Impossible() }
        var memory = try Argon2id.Memory(for: parameters)
        return derive(in: &memory)
    }

    func derive(in memory: inout Argon2id.Memory) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        unsafe output.withUnsafeMutableBytes { output in
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe secret.withUnsafeBytes { secret in
                        unsafe associatedData.withUnsafeBytes { associatedData in
                            unsafe memory.deriveKey(
                                from: password, salt: salt, secret: secret, associatedData: associatedData,
                                into: output)
                        }
                    }
                }
            }
        }
        return output
    }
}
