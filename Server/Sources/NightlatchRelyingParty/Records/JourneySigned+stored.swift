import NightlatchWire

extension JourneySigned {
    /// The JSON text as stored in a database.
    package var stored: String { String(decoding: StrictJSON.encode(self), as: UTF8.self) }

    package init(stored text: String) throws(StoreError) {
        do {
            self = try StrictJSON.decode(Self.self, from: Array(text.utf8))
        } catch {
            throw StoreError(.corrupt)
        }
    }
}

extension JourneyKeyProtection {
    package init(stored text: String) throws(StoreError) {
        guard let protection = Self(rawValue: text) else { throw StoreError(.corrupt) }
        self = protection
    }
}
