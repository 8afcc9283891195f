/// A record, and the key that was found to open and vouch for it.
struct OpenedRecord: Sendable {
    var record: VaultRecord
    let key: VaultKey
}
