public import Foundation

/// Base64 with the URL alphabet and without padding
/// ([RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)), as in
/// [RFC 7515](https://www.rfc-editor.org/rfc/rfc7515#section-2).
public enum Base64URL {
    /// Encodes `bytes` as base64url without padding.
    public static func encode(_ bytes: some DataProtocol) -> String { encode(Array(copying: bytes)) }

    /// Same as ``encode(_:)-(DataProtocol)``. With this overload and the next one, the compiler knows the concrete type
    /// of `bytes` at each call.
    public static func encode(_ bytes: Data) -> String { encode(Array(copying: bytes)) }

    /// Same as ``encode(_:)-(DataProtocol)``.
    public static func encode(_ bytes: [UInt8]) -> String {
        // Writes into the string's own memory, which saves a copy.
        unsafe String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe digits.withUnsafeBufferPointer { digits in
                    unsafe encode(bytes, to: text, with: digits)
                }
            }
        }
    }

    /// Writes the text for `bytes` to memory of the right size, and returns its length.
    private static func encode(
        _ bytes: UnsafeBufferPointer<UInt8>,
        to text: UnsafeMutableBufferPointer<UInt8>,
        with digits: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var (index, count) = (0, 0)
        func write(_ digit: UInt32) {
            unsafe text[count] = digits[Int(digit & 63)]
            count += 1
        }
        while index + 3 <= bytes.count {
            let group = unsafe UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2])
            write(group >> 18)
            write(group >> 12)
            write(group >> 6)
            write(group)
            index += 3
        }
        switch bytes.count - index {
        case 1:
            let group = unsafe UInt32(bytes[index])
            write(group >> 2)
            write(group << 4)
        case 2:
            let group = unsafe UInt32(bytes[index]) << 10 | UInt32(bytes[index + 1]) << 2
            write(group >> 12)
            write(group >> 6)
            write(group)
        default: break
        }
        return count
    }

    /// Decodes base64url. Returns nil unless `text` is exactly the output of `encode(_:)` for the returned bytes.
    ///
    /// Padding, white space, the other alphabet and stray bits in the last character are refused. So no two texts
    /// decode to the same bytes.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        text.utf8.withContiguousStorageIfAvailable { text in unsafe decode(utf8: text) }
            ?? decode(utf8: Array(text.utf8)[...])
    }

    /// Same as ``decode(_:)``, for text in UTF-8.
    static func decode(utf8 text: ArraySlice<UInt8>) -> [UInt8]? {
        unsafe text.withUnsafeBufferPointer { text in unsafe decode(utf8: text) }
    }

    private static func decode(utf8 text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        // A single digit after whole groups encodes no byte.
        guard text.count % 4 != 1 else { return nil }
        // Decodes to temporary memory and copies the bytes. This costs less than decoding to an array's uninitialised
        // memory, because the standard library's code for that is not specialised for bytes.
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count * 3 / 4) { bytes in
            let (count, isStrict) = unsafe valuesInGroups.withUnsafeBufferPointer { values in
                unsafe decode(text, to: bytes, with: values)
            }
            return isStrict ? unsafe Array(UnsafeBufferPointer(rebasing: bytes[..<count])) : nil
        }
    }

    /// Decodes `text` to memory of the right size. Returns the number of bytes written and whether the text is valid.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        to bytes: UnsafeMutableBufferPointer<UInt8>,
        with values: UnsafeBufferPointer<UInt32>
    ) -> (count: Int, isStrict: Bool) {
        // `all` combines the bits of all groups, so that one test at the end finds invalid digits. `spareBits` are the
        // bits of the last group that encode no byte.
        var (all, spareBits) = (UInt32(0), UInt32(0))
        var (index, count) = (0, 0)
        func value(_ place: Int) -> UInt32 { unsafe values[place << 8 | Int(text[index + place])] }
        func write(_ group: UInt32, shift: UInt32) {
            unsafe bytes[count] = UInt8(truncatingIfNeeded: group >> shift)
            count += 1
        }
        while index + 4 <= text.count {
            let group = value(0) | value(1) | value(2) | value(3)
            all |= group
            write(group, shift: 16)
            write(group, shift: 8)
            write(group, shift: 0)
            index += 4
        }
        switch text.count - index {
        case 2:
            let group = value(0) | value(1)
            all |= group
            write(group, shift: 16)
            spareBits = group & 0xFFFF
        case 3:
            let group = value(0) | value(1) | value(2)
            all |= group
            write(group, shift: 16)
            write(group, shift: 8)
            spareBits = group & 0xFF
        default: break
        }
        return (count, all < 1 << 24 && spareBits == 0)
    }

    /// Whether ``decode(_:)`` returns bytes for `text`. Applies the same rules without decoding.
    package static func isEncoding(_ text: String) -> Bool {
        guard text.hasOnly({ $0.letterOrDigitMatch | $0.match("-") | $0.match("_") }) else { return false }
        guard let last = text.utf8.last else { return true }
        return switch text.utf8.count % 4 {
        case 0: true
        case 2: values[Int(last)] & 0xF == 0
        case 3: values[Int(last)] & 0x3 == 0
        default: false
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte as a digit, or 64 if it is not a digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// The contribution of each byte to a group's 24 bits, for each of the four positions. Bytes that are not digits
    /// set a bit above the 24.
    private static let valuesInGroups: [UInt32] = (0..<4).flatMap { place in
        values.map { value in value < 64 ? UInt32(value) << (18 - 6 * place) : 1 << 24 }
    }
}
