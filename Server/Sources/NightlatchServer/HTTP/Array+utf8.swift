extension [UInt8] {
    /// Appends the UTF-8 bytes of `text` in one copy. A generic `append(contentsOf:)` takes twice as long.
    mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { bytes in unsafe append(contentsOf: bytes) }
    }
}
