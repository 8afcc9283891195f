package import NightlatchWire

extension Administration {
    /// Begins the export of everything that the server keeps about a user, and records it in the audit log.
    ///
    /// - Parameters:
    ///   - id: The user.
    ///   - now: The time, for the document.
    /// - Throws: ``AdministrationError`` `userUnknown`. Nothing was recorded.
    package func beginExport(of id: UserID, at now: NumericDate) async throws(AdministrationError) -> UserExport {
        let found = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.beginExport(of: id, by: party)
        }
        guard let user = found else { throw .userUnknown }
        return UserExport(of: user, in: store, at: now)
    }

    /// Deletes a user and everything that the server keeps about them, as ``UserDataStore/deleteUser(_:by:because:)``.
    ///
    /// - Throws: ``AdministrationError`` `userUnknown`, also if the user was deleted already. Nothing changed.
    package func deleteUser(_ id: UserID, because reason: AuditReason) async throws(AdministrationError) -> UserDeletion
    {
        let outcome = try await ask { () async throws(RelyingPartyStoreError) in
            try await store.deleteUser(id, by: party, because: reason)
        }
        switch outcome {
        case .deleted(let deletion): return deletion
        case .noSuchUser: throw .userUnknown
        }
    }
}
