/// A key of this device that vouches for the count of failed PINs: whoever can write to a store's place, and nothing more, cannot
/// make the count say less.
///
/// The key serves one store and stays on the device, best of all in a chip; it is used without a prompt with every reading and
/// writing of a record. What it does not stop is an old record put back whole, with the count of then:
/// ``StoreGuarantees/resistsRollback`` says whether the store does.
public protocol LedgerKey: Sendable {
    /// The MAC over `bytes`, such as HMAC-SHA256: 32 bytes, the same for the same bytes every time.
    ///
    /// - Throws: ``StoreError``, as the store would for its record.
    func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8]
}
