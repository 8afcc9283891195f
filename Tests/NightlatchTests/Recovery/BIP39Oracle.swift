#if os(Linux) || os(macOS)
/// BIP-39 and the recovery key in Python's standard library alone: HKDF by RFC 5869, X25519 by RFC 7748.
enum BIP39Oracle {
    /// Reads the path of the word list, then one entropy in hexadecimal on each line. Prints words, seed and public
    /// key.
    static let script = """
        import hashlib, hmac, sys
        lines = sys.stdin.read().split("\\n")
        words = open(lines[0]).read().split()

        def sentence(entropy):
            bits = bin(int.from_bytes(entropy, "big"))[2:].zfill(8 * len(entropy))
            check = bin(hashlib.sha256(entropy).digest()[0])[2:].zfill(8)
            bits += check[:len(entropy) // 4]
            return " ".join(words[int(bits[i:i + 11], 2)] for i in range(0, len(bits), 11))

        def public_key(secret):
            prime = 2 ** 255 - 19
            scalar = bytearray(secret)
            scalar[0] &= 248
            scalar[31] = scalar[31] & 127 | 64
            k, u = int.from_bytes(scalar, "little"), 9
            x2, z2, x3, z3, swap = 1, 0, u, 1, 0
            for t in range(254, -1, -1):
                bit = k >> t & 1
                if swap ^ bit:
                    x2, z2, x3, z3 = x3, z3, x2, z2
                swap = bit
                a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
                e = a * a - b * b
                x3, z3 = (d * a + c * b) ** 2 % prime, u * (d * a - c * b) ** 2 % prime
                x2, z2 = a * a * b * b % prime, e * (a * a + 121665 * e) % prime
            if swap:
                x2, z2 = x3, z3
            return (x2 * pow(z2, prime - 2, prime) % prime).to_bytes(32, "little")

        for line in lines[1:]:
            if not line:
                continue
            text = sentence(bytes.fromhex(line))
            seed = hashlib.pbkdf2_hmac("sha512", text.encode(), b"mnemonic", 2048)
            extracted = hmac.new(bytes(32), seed, "sha256").digest()
            key = hmac.new(extracted, b"nightlatch recovery key\\x01", "sha256").digest()
            print(text, seed.hex(), public_key(key).hex(), sep=",")
        """
}
#endif
