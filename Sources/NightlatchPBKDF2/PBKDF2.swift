#if canImport(CommonCrypto)
import CommonCrypto
#else
import CryptoExtras
#endif

/// PBKDF2 with HMAC-SHA256 ([RFC 8018, section 5.2](https://www.rfc-editor.org/rfc/rfc8018#section-5.2)).
public enum PBKDF2 {}
