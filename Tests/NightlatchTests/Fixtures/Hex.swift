import Nightlatch

/// Each byte as two hexadecimal digits.
enum Hex {
    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func encode(_ bytes: borrowing SecretBytes) -> String {
        unsafe bytes.withUnsafeBytes { unsafe encode($0) }
    }

    static func decode(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
