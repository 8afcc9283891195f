/// A secret that a chip has sealed under a PIN, in a store: the common part of the slots of all chips.
package struct StoredPinSlot<Chip: PinChip>: Sendable {
    private let name: String
    private let chip: Chip
    private let store: any SecureStore

    /// - Parameters:
    ///   - name: The slot's own name, not empty. The slot's record does not open in a slot of another name.
    ///   - chip: The chip that seals.
    ///   - store: The store of the sealed secret.
    package init(name: String, chip: Chip, store: any SecureStore) {
        precondition(!name.isEmpty, "the name of a slot must not be empty")
        self.name = name
        self.chip = chip
        self.store = store
    }

    /// Seals `secret` and replaces an earlier secret. The new one is durable when this returns.
    package func seal(
        _ secret: borrowing SecretBytes,
        under stretchedPin: borrowing SecretBytes
    ) async throws(Chip.Failure) {
        guard PinSlotSecret.byteCounts.contains(secret.byteCount) else { throw .secretByteCount }
        let before = try await read()?.revision
        // After the greatest revision, no further one could be written.
        guard before != .max else { throw .corrupt }
        let sealed = try await chip.seal(secret, under: stretchedPin, for: name)
        do throws(StoreError) {
            try await store.replace(StoredRecord(revision: (before ?? 0) + 1, bytes: sealed), expecting: before)
        } catch {
            throw Chip.Failure(error)
        }
    }

    package func open(with stretchedPin: borrowing SecretBytes) async throws(Chip.Failure) -> SecretBytes {
        guard let stored = try await read() else { throw .absent }
        return try await chip.open(stored.bytes, with: stretchedPin, for: name)
    }

    package func remove() async throws(Chip.Failure) {
        do throws(StoreError) {
            try await store.erase()
        } catch {
            throw Chip.Failure(error)
        }
    }

    private func read() async throws(Chip.Failure) -> StoredRecord? {
        do throws(StoreError) {
            return try await store.read()
        } catch {
            throw Chip.Failure(error)
        }
    }
}
