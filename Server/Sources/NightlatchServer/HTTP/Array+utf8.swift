extension [UInt8] {
    /// Appends `text` all at once from where it lies: for bytes of a kind unknown to the compiler it would take twice as long.
    mutating func append(utf8 text: String) {
        var text = text
        text.withUTF8 { bytes in unsafe append(contentsOf: bytes) }
    }
}
