import NightlatchArgon2

extension Argon2id {
    /// Hashes a password into `byteCount` bytes. Returns nil if there is too little memory.
    static func hash(_ password: [UInt8], salt: [UInt8], _ parameters: Parameters, byteCount: Int) -> [UInt8]? {
        var hash = [UInt8](repeating: 0, count: byteCount)
        do {
            var memory = try Memory(for: parameters)
            unsafe password.withUnsafeBytes { password in
                unsafe salt.withUnsafeBytes { salt in
                    unsafe hash.withUnsafeMutableBytes { hash in
                        unsafe memory.deriveKey(from: password, salt: salt, into: hash)
                    }
                }
            }
        } catch {
            return nil
        }
        return hash
    }
}
