extension SeededGenerator {
    /// Makes one to three small changes to `bytes`: flips a bit; replaces, inserts or deletes a byte; repeats a part;
    /// truncates the end.
    ///
    /// Half of the new bytes are drawn from `alphabet`, so that many results are nearly well formed.
    mutating func mutate(_ bytes: [UInt8], alphabet: String) -> [UInt8] {
        let alphabet = Array(alphabet.utf8)
        var result = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) where !result.isEmpty {
            let place = Int.random(in: 0..<result.count, using: &self)
            let byte =
                Bool.random(using: &self)
                ? alphabet[Int.random(in: 0..<alphabet.count, using: &self)]
                : UInt8.random(in: .min ... .max, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 1: result[place] = byte
            case 2: result.insert(byte, at: place)
            case 3: result.remove(at: place)
            case 4: result.insert(contentsOf: result[place...].prefix(Int.random(in: 1...12, using: &self)), at: place)
            default: result.removeSubrange(place...)
            }
        }
        return result
    }
}
