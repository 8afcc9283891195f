// White space and uppercase letters do not change the meaning of a typed phrase.
extension UInt8 {
    /// Whether this is a space, or one of tab to carriage return.
    var isASCIIWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    /// The lowercase letter if this is an uppercase letter; otherwise the byte itself.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
