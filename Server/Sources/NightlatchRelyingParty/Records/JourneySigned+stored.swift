import NightlatchWire

extension JourneySigned {
    /// The JSON text as stored in a database.
    package var stored: String { String(decoding: StrictJSON.encode(self), as: UTF8.self) }

    package init(stored text: String) throws(RelyingPartyStoreError) {
        do {
            self = try StrictJSON.decode(Self.self, from: Array(text.utf8))
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
    }
}

extension JourneyKeyProtection {
    package init(stored text: String) throws(RelyingPartyStoreError) {
        guard let protection = Self(rawValue: text) else { throw RelyingPartyStoreError(.corrupt) }
        self = protection
    }
}
