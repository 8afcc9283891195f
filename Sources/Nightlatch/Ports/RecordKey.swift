/// A key of this device that authenticates a vault's record.
///
/// An attacker who can only write to the store can neither lower the count of failed PINs nor replace the vault with a
/// vault that the attacker made.
///
/// The key serves one store and stays on the device, preferably in a chip. It is used without a prompt with every read
/// and write of a record. It does not stop an attacker from restoring a complete old record with its old count:
/// ``StoreGuarantees/resistsRollback`` says whether the store stops that.
public protocol RecordKey: Sendable {
    /// Returns the MAC over `bytes`, such as HMAC-SHA256: 32 bytes, always the same for the same input.
    ///
    /// - Throws: ``StoreError``, as the store would for its record.
    func mac(over bytes: [UInt8]) async throws(StoreError) -> [UInt8]
}
