import NightlatchWire

extension SecretBytes {
    /// Returns the text with an ASCII space for each word separator and without invisible characters.
    ///
    /// It is padded with spaces to the length of the original text. Bytes that are not UTF-8 are kept.
    borrowing func pastedWords() -> SecretBytes {
        unsafe withUnsafeBytes { text in
            unsafe SecretBytes(byteCount: text.count) { words in
                var (start, end) = (0, 0)
                while start < text.count {
                    let scalar = unsafe Self.scalar(at: start, in: text)
                    let count = scalar.map { UTF8.width($0) } ?? 1
                    switch scalar.map(PastedText.init) ?? .counts {
                    case .isInvisible: break
                    case .separates:
                        unsafe words[end] = 0x20
                        end += 1
                    case .counts:
                        for offset in 0..<count { unsafe words[end + offset] = text[start + offset] }
                        end += count
                    }
                    start += count
                }
                for index in end..<text.count { unsafe words[index] = 0x20 }
            }
        }
    }

    /// Returns the character that begins at `start`; nil if the bytes there are not UTF-8. Copies no more than one
    /// character.
    private static func scalar(at start: Int, in text: UnsafeBufferPointer<UInt8>) -> Unicode.Scalar? {
        var bytes = unsafe text[start...].prefix(4).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = unsafe decoder.decode(&bytes) else { return nil }
        return scalar
    }
}
