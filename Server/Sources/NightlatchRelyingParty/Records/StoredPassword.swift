/// A password as stored: its Argon2id hash with salt and parameters.
public struct StoredPassword: Hashable, Sendable {
    /// 32 bytes.
    public let hash: [UInt8]
    /// 16 random bytes.
    public let salt: [UInt8]
    public let memoryKibibytes: Int
    public let passes: Int
    public let lanes: Int

    public init(hash: [UInt8], salt: [UInt8], memoryKibibytes: Int, passes: Int, lanes: Int) {
        self.hash = hash
        self.salt = salt
        self.memoryKibibytes = memoryKibibytes
        self.passes = passes
        self.lanes = lanes
    }
}
