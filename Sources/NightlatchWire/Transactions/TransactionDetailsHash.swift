import Crypto
import Foundation

/// The SHA-256 hash of the canonical form of a transaction's details. A decision signs it.
public typealias TransactionDetailsHash = Identifier<TransactionDetailsHashRule>

public enum TransactionDetailsHashRule: BinaryIdentifierRule {
    public static let name = "transaction details hash"
    public static let byteCount = 32
}

extension Identifier where Rule == TransactionDetailsHashRule {
    public init(of details: TransactionDetails) {
        self.init(unchecked: Base64URL.encode(Data(SHA256.hash(data: details.canonicalBytes))))
    }
}
