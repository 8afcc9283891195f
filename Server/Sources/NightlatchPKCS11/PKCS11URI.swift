import CPKCS11

/// The address of a secret key in a PKCS#11 token: a `pkcs11` URI
/// ([RFC 7512](https://www.rfc-editor.org/rfc/rfc7512)), which libp11-kit reads.
///
/// The URI names the token and the key, the token's library (`module-path`), and the file with the user's PIN
/// (`pin-source`). For example:
///
/// ```text
/// pkcs11:token=nightlatch;object=master-key?module-path=/usr/lib/libhsm.so&pin-source=file:/etc/token.pin
/// ```
package struct PKCS11URI: Hashable, Sendable {
    private let text: String
    /// The absolute path of the token's library.
    package let modulePath: String
    /// The path of the file with the user's PIN.
    package let pinFile: String

    /// Whether `text` begins as such a URI. A path that begins so can be written with `./` before it.
    package static func isMeant(by text: String) -> Bool { text.hasPrefix("pkcs11:") }

    /// Reads a URI.
    ///
    /// - Throws: ``PKCS11Error`` `uri`, if it cannot be read, lacks a part, has a part that chooses no token or key, or
    ///   contains the PIN itself: other users of the machine can read the arguments of a process.
    package init(_ text: String) throws(PKCS11Error) {
        let found = try unsafe Self.read(text) { uri throws(PKCS11Error) -> (module: String, pin: String) in
            guard unsafe p11_kit_uri_any_unrecognized(uri) == 0 else { throw .uri("has an unknown part") }
            guard unsafe p11_kit_uri_get_pin_value(uri) == nil else {
                throw .uri("contains a PIN. Write the PIN into a file, and name the file in pin-source")
            }
            guard let module = unsafe p11_kit_uri_get_module_path(uri).map({ unsafe String(cString: $0) }),
                module.hasPrefix("/")
            else { throw .uri("lacks module-path, the absolute path of the token’s library") }
            guard let source = unsafe p11_kit_uri_get_pin_source(uri).map({ unsafe String(cString: $0) }) else {
                throw .uri("lacks pin-source, the file with the token’s PIN")
            }
            // Both forms of RFC 8089, and a path.
            let prefix = ["file://", "file:", ""].first { source.hasPrefix($0 + "/") && !source.hasPrefix($0 + "//") }
            let pin = String(source.dropFirst(prefix?.count ?? 0))
            guard prefix != nil else {
                throw .uri("must name a file with an absolute path in pin-source")
            }
            let token = unsafe p11_kit_uri_get_token_info(uri)
            let namesToken = unsafe token.map { unsafe $0.pointee.label.0 != 0 || $0.pointee.serialNumber.0 != 0 }
            guard namesToken == true else { throw .uri("lacks token or serial, which name the token") }
            let hasName = [CKA_LABEL, CKA_ID].contains { unsafe p11_kit_uri_get_attribute(uri, $0) != nil }
            guard hasName else { throw .uri("lacks object or id, which name the key") }
            if let kind = unsafe p11_kit_uri_get_attribute(uri, CKA_CLASS) {
                let value = unsafe kind.pointee.pValue?.loadUnaligned(as: CK_OBJECT_CLASS.self)
                guard value == CKO_SECRET_KEY else { throw .uri("names a key of another type than secret-key") }
            }
            return (module, pin)
        }
        self.text = text
        (modulePath, pinFile) = found
    }

    /// Whether the URI means this token. Parts that the URI lacks match every token.
    func matches(_ token: inout CK_TOKEN_INFO) throws(PKCS11Error) -> Bool {
        try unsafe Self.read(text) { uri throws(PKCS11Error) in unsafe p11_kit_uri_match_token_info(uri, &token) == 1 }
    }

    /// Runs `body` with the attributes that the key must have, which are valid only during the call.
    func withAttributes<Value>(
        _ body: ([CK_ATTRIBUTE]) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        try unsafe Self.read(text) { uri throws(PKCS11Error) in
            var count: CUnsignedLong = 0
            let found = unsafe p11_kit_uri_get_attributes(uri, &count)
            return unsafe try body(Array(UnsafeBufferPointer(start: found, count: Int(count))))
        }
    }

    private static func read<Value>(
        _ text: String, _ body: (OpaquePointer) throws(PKCS11Error) -> Value
    ) throws(PKCS11Error) -> Value {
        guard let uri = unsafe p11_kit_uri_new() else { throw .uri("cannot be read: there is too little memory") }
        defer { unsafe p11_kit_uri_free(uri) }
        guard unsafe p11_kit_uri_parse(text, P11_KIT_URI_FOR_OBJECT_ON_TOKEN, uri) == 0 else {
            throw .uri("is not a URI of RFC 7512")
        }
        return unsafe try body(uri)
    }
}

extension PKCS11URI: CustomStringConvertible {
    package var description: String { text }
}
