import CTSS2

/// The public area of an object, as the TPM marshals it (TPM 2.0 Library, part 2, section 12.2.4).
struct PublicArea: Hashable, Sendable {
    private static let sha256: UInt16 = 0x000B
    private static let null: UInt16 = 0x0010
    private static let p256: UInt16 = 0x0003
    private static let coordinateByteCount = 32

    /// The bytes, without the size in front.
    let bytes: [UInt8]

    /// The template of the storage key of the owner hierarchy: P-256 with AES-128-CFB, as in the TCG's guidance for
    /// provisioning.
    ///
    /// A TPM always creates the same key from it, until the TPM is cleared.
    static let storageKey = ellipticCurve(
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, restricted, decrypt
        attributes: 0x0003_0472,
        // AES, 128 bits, CFB; no scheme
        parameters: [0x0006, 128, 0x0043, null])

    /// The template of an ES256 signing key that the TPM creates, and that can leave neither the TPM nor its parent.
    ///
    /// It is exempt from the TPM's count of wrong authorisations, because it has no authorisation or one that cannot be
    /// guessed. With a count, any program with access to the TPM could lock the key, together with other programs'
    /// keys.
    static let signingKey = ellipticCurve(
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, sign
        attributes: 0x0004_0472,
        // no encryption of children; ECDSA with SHA-256
        parameters: [null, 0x0018, sha256])

    /// The template of a sealed secret that can leave neither the TPM nor its parent. The TPM counts its wrong
    /// authorisations.
    static let sealedSecret = PublicArea(
        // a keyed hash, name by SHA-256; fixedTPM, fixedParent, userWithAuth; no policy; no scheme; no digest in a
        // template
        bytes: bigEndian([0x0008, sha256, 0x0000, 0x0052, 0, null, 0]))

    private static func ellipticCurve(attributes: UInt32, parameters: [UInt16]) -> PublicArea {
        let attributes = [UInt16(attributes >> 16), UInt16(truncatingIfNeeded: attributes)]
        // ECC, name by SHA-256, attributes, no policy; parameters; curve, no key derivation; a point, zero in a
        // template
        let head = [0x0023, sha256] + attributes + [0] + parameters + [p256, null]
        let coordinate = bigEndian([UInt16(coordinateByteCount)]) + Array(repeating: 0, count: coordinateByteCount)
        return PublicArea(bytes: bigEndian(head) + coordinate + coordinate)
    }

    private static func bigEndian(_ numbers: [UInt16]) -> [UInt8] {
        numbers.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    /// Whether this equals ``sealedSecret`` except for the digest, which the TPM has added.
    var isSealedSecret: Bool {
        let digestByteCount = 32
        let head = Self.sealedSecret.bytes.dropLast(2) + Self.bigEndian([UInt16(digestByteCount)])
        return bytes.count == head.count + digestByteCount && bytes.starts(with: head)
    }

    /// Returns the point's coordinates, X and then Y, if the rest equals `template`.
    func coordinates(of template: PublicArea) -> [UInt8]? {
        let sizeByteCount = 2
        let head = template.bytes.count - 2 * (sizeByteCount + Self.coordinateByteCount)
        let (x, y) = (head + sizeByteCount, head + 2 * sizeByteCount + Self.coordinateByteCount)
        let points = [x..<x + Self.coordinateByteCount, y..<y + Self.coordinateByteCount]
        guard bytes.count == template.bytes.count else { return nil }
        var blank = bytes
        for point in points { blank.replaceSubrange(point, with: repeatElement(0, count: point.count)) }
        guard blank == template.bytes else { return nil }
        return points.flatMap { bytes[$0] }
    }
}
