public import NightlatchWire

/// The reason why a rotation of the master key stopped. Everything that was done stays, and running it again continues.
public enum MasterKeyRotationError: Error, Hashable, Sendable {
    /// The store failed; see the error's ``RelyingPartyStoreError/kind``.
    case store(RelyingPartyStoreError)
    /// The keys are not those that the store names. Nothing was changed.
    case masterKeyDoesNotFit
    /// The new key seals already, and it did not replace the other key. Nothing was changed.
    case sameKey
    /// No relying party has used the store yet.
    case noKey
    /// These processes run without the new key, so the rotation did not begin. Restart them with it.
    case unknownTo([RunningProcess])
    /// No process reports itself. Servers may run that are older or cannot reach the store. Nothing was changed.
    case noServers
    /// What was made under the key before the old one is valid until this time. Nothing was changed.
    case tooEarly(NumericDate)
    /// This signing key opens under neither key. All else was sealed again.
    case damagedSigningKey(KeyID)
    /// Another command changed the state in the middle of this run.
    case changedMeanwhile
    /// These processes run and did not begin to seal under the new key within a minute.
    case notFollowedBy([RunningProcess])
    /// A rotation to another key is not finished. Finish it first, with the same two keys.
    case otherRotation(MasterKeyState)
    /// Values under the old key are left, although all were sealed again. Run the rotation again.
    case unfinished
    /// The cryptographic library could not seal, which is a defect.
    case notSealed
}
