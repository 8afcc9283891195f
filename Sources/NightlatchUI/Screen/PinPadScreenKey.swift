/// A key as it is drawn and spoken.
public struct PinPadScreenKey: Hashable, Sendable, Identifiable {
    /// The face of a key.
    public enum Face: Hashable, Sendable {
        case text(String)
        /// A symbol. Its meaning is spoken as ``PinPadScreenKey/label``.
        case delete, biometrics
    }

    public let key: PinPadKey
    public let face: Face
    /// The spoken name.
    public let label: String
    /// Whether the key is enabled.
    public let isEnabled: Bool

    public var id: PinPadKey { key }

    init(_ key: PinPadKey, _ display: PinPadDisplay, in strings: PinPadStrings) {
        self.key = key
        label = strings[.key(key)]
        face =
            switch key {
            case .delete: .delete
            case .biometrics: .biometrics
            case .digit, .submit, .cancel, .forgotten, .giveUp: .text(label)
            }
        isEnabled = display.takes(key)
    }
}

/// A row of three places in the grid. Their order is the same in right-to-left languages, because all scripts write
/// numbers from left to right.
public struct PinPadGridRow: Hashable, Sendable, Identifiable {
    /// The row's number, from the top.
    public let id: Int
    /// The three places.
    public let places: [Place]

    /// A place in the grid. It keeps its number when its key changes.
    public struct Place: Hashable, Sendable, Identifiable {
        public let id: Int
        public let key: PinPadScreenKey?
    }

    /// Three rows of digits, and a row with biometrics, the last digit and delete.
    static func rows(_ display: PinPadDisplay, in strings: PinPadStrings) -> [PinPadGridRow] {
        var keys: [PinPadKey?] = display.order.digits.map(PinPadKey.digit)
        keys.insert(display.offeredKeys.contains(.biometrics) ? .biometrics : nil, at: 9)
        keys.append(display.offeredKeys.contains(.delete) ? .delete : nil)
        return stride(from: 0, to: keys.count, by: 3).map { start in
            PinPadGridRow(
                id: start / 3,
                places: (start..<start + 3).map { place in
                    Place(id: place, key: keys[place].map { PinPadScreenKey($0, display, in: strings) })
                })
        }
    }
}
