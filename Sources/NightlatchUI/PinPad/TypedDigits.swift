import Nightlatch

/// The typed digits, in zeroing memory.
struct TypedDigits: ~Copyable {
    private var digits = SecretBytes(copying: [])

    var count: Int { digits.byteCount }

    mutating func append(_ digit: PinDigit) {
        let longer = unsafe digits.withUnsafeBytes { typed in
            unsafe SecretBytes(byteCount: typed.count + 1) { memory in
                unsafe memory.copyBytes(from: typed)
                unsafe memory[typed.count] = digit.ascii
            }
        }
        digits = longer
    }

    mutating func removeLast() {
        let shorter = unsafe digits.withUnsafeBytes { unsafe SecretBytes(copying: $0.dropLast()) }
        digits = shorter
    }

    mutating func removeAll() {
        digits = SecretBytes(copying: [])
    }

    /// Removes the digits and returns them as a PIN. Returns nil if there are too few or too many.
    mutating func take() -> Pin? {
        let taken = digits.copy()
        removeAll()
        do {
            return try Pin(digits: taken)
        } catch {
            return nil
        }
    }
}
