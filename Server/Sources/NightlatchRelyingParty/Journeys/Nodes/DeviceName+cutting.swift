import NightlatchWire

extension DeviceName {
    /// The longest beginning of `text` that ends with a whole character and is short enough for a name; nil if it may not be shown.
    init?(cutting text: String) {
        var start = ""
        for character in text.prefix(DeviceNameRule.characterCountLimit) {
            guard start.utf8.count + character.utf8.count <= DeviceNameRule.byteCountLimit else { break }
            start.append(character)
        }
        self.init(rawValue: start)
    }
}
