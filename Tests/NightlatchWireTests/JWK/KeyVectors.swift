/// Keys with their thumbprints from sources that share no code with this module.
enum KeyVectors {
    /// [RFC 7638, section 3.1](https://www.rfc-editor.org/rfc/rfc7638#section-3.1).
    static let rsaModulus = """
        0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknj\
        hMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ\
        vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzK\
        nqDKgw
        """
    static let rsaThumbprint = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"

    /// The key of [RFC 7515, appendix A.3](https://www.rfc-editor.org/rfc/rfc7515#appendix-A.3).
    static let rfc7515 = (
        x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    )

    /// X, Y and thumbprint of the key above, then of 1, 2, 3 and 0xC0FFEE times the curve's generator. Computed by
    /// joserfc 1.6.5 and cryptography 48:
    ///
    ///     python3 -c 'from joserfc.jwk import ECKey
    ///     from cryptography.hazmat.primitives import serialization as s
    ///     from cryptography.hazmat.primitives.asymmetric import ec
    ///     for k in (1, 2, 3, 0xC0FFEE):
    ///         key = ec.derive_private_key(k, ec.SECP256R1()).public_key()
    ///         pem = key.public_bytes(s.Encoding.PEM, s.PublicFormat.SubjectPublicKeyInfo)
    ///         print(ECKey.import_key(pem).as_dict(), ECKey.import_key(pem).thumbprint())'
    static let ec: [(x: String, y: String, thumbprint: String)] = [
        (rfc7515.x, rfc7515.y, "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"),
        (
            "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY", "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
            "xx0BcA-wMohw8atYDJOe6peGModklG2wRHBlXHMvl0M"
        ),
        (
            "fPJ7GI0DT36KUjgDBLUaw8CJaeJ38hs1pgtI_EdmmXg", "B3dVENuO0EApPZrGn3Qw27p9reY86YIpngS3nSJ4c9E",
            "AhqHzaYXA5MzmDCrsseUsVBGKyfhDhvekx0THjH_xIE"
        ),
        (
            "Xsvk0aYzCkTI9--VHUvxZebGtyHvramF-0FmG8bn_Ww", "hzRkDEmY_343SwbOGmSi7NgqsDY4T7g9mnmxJ6J9UDI",
            "B3zQUJfL8WPQJT3fRc_9F85aNjqoqRkk-HMzwyAp7WU"
        ),
        (
            "02AzL62byDr6_0p0DeilFr8bj7P942D_HQOXnB-UPuI", "6KZgB_0nawJxJlxtsJLEoMXrjEX9xDZQLIoJX11XRfI",
            "W_ou-DIkakywsbuR5BK8MVwDI9IYaA7Qfel1FZ06czc"
        ),
    ]
}
