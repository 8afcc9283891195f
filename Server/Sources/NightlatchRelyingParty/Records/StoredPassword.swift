/// A password as the store holds it: its Argon2id hash with what it was made with.
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
