import NightlatchWire

extension DeviceName {
    /// The longest prefix of `text` of whole characters that is short enough for a name; nil if that prefix is not a
    /// valid name.
    init?(cutting text: String) {
        var start = ""
        for character in text.prefix(DeviceNameRule.characterCountLimit) {
            guard start.utf8.count + character.utf8.count <= DeviceNameRule.byteCountLimit else { break }
            start.append(character)
        }
        self.init(rawValue: start)
    }
}
