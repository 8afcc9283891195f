public import Crypto
public import Nightlatch

/// A record key in memory that behaves like one in a chip of the device. Copies of the value share its faults.
public struct MemoryRecordKey: RecordKey {
    private let key: SymmetricKey
    private let fault = Shared<StoreError?>(nil)

    public init(_ key: SymmetricKey = SymmetricKey(size: .bits256)) {
        self.key = key
    }

    /// Makes every later call throw `error`; nil ends that.
    public func fail(_ error: StoreError?) {
        fault.withLock { $0 = error }
    }

    public func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8] {
        if let fault = fault.withLock({ $0 }) { throw fault }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
}
