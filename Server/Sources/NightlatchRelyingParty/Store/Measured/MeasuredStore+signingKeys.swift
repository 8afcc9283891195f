package import NightlatchWire

extension MeasuredStore {
    package func signingKeys() async throws(StoreError) -> [SealedSigningKey] {
        try await metrics.signingKeys.measure { () async throws(StoreError) in try await base.signingKeys() }
    }

    package func addSigningKey(
        _ key: SealedSigningKey, after newest: KeyID?
    ) async throws(StoreError) -> [SealedSigningKey] {
        try await metrics.addSigningKey.measure { () async throws(StoreError) in
            try await base.addSigningKey(key, after: newest)
        }
    }

    package func removeSigningKeys(supersededBefore time: NumericDate) async throws(StoreError) {
        try await metrics.removeSigningKeys.measure { () async throws(StoreError) in
            try await base.removeSigningKeys(supersededBefore: time)
        }
    }

    package func limitSigningKeys(startBy time: NumericDate) async throws(StoreError) {
        try await metrics.limitSigningKeys.measure { () async throws(StoreError) in
            try await base.limitSigningKeys(startBy: time)
        }
    }

    package func forgetSigningKeys() async throws(StoreError) -> Int {
        try await metrics.forgetSigningKeys.measure { () async throws(StoreError) in try await base.forgetSigningKeys()
        }
    }
}
