/// A key of this device that vouches for a vault's record: whoever can write to a store's place, and nothing more, can neither make
/// the count of failed PINs say less nor put a vault of their own in this one's place.
///
/// The key serves one store and stays on the device, best of all in a chip; it is used without a prompt with every reading and
/// writing of a record. What it does not stop is an old record put back whole, with the count of then:
/// ``StoreGuarantees/resistsRollback`` says whether the store does.
public protocol RecordKey: Sendable {
    /// The MAC over `bytes`, such as HMAC-SHA256: 32 bytes, the same for the same bytes every time.
    ///
    /// - Throws: ``StoreError``, as the store would for its record.
    func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8]
}
