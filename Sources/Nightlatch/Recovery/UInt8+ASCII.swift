// What of ASCII a person may type without meaning anything by it.
extension UInt8 {
    /// Whether it is a space, or one of tab to carriage return.
    var isASCIIWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// The small letter, if this is a capital one.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
