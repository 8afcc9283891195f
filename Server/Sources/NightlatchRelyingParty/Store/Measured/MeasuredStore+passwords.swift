package import NightlatchWire

extension MeasuredStore {
    package func setPassword(_ password: StoredPassword, of user: UserID) async throws(StoreError) {
        try await metrics.setPassword.measure { () async throws(StoreError) in
            try await base.setPassword(password, of: user)
        }
    }

    package func chargePasswordAttempt(of user: UserID) async throws(StoreError) -> StoredPassword? {
        try await metrics.chargePasswordAttempt.measure { () async throws(StoreError) in
            try await base.chargePasswordAttempt(of: user)
        }
    }

    package func acceptPassword(
        _ password: StoredPassword, raisedTo raised: StoredPassword?, of user: UserID
    ) async throws(StoreError) {
        try await metrics.acceptPassword.measure { () async throws(StoreError) in
            try await base.acceptPassword(password, raisedTo: raised, of: user)
        }
    }
}
