import Foundation

/// `application/x-www-form-urlencoded`.
enum FormEncoding {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Encodes the fields in the order of their names. Escapes everything except unreserved characters.
    static func encode(_ fields: [String: String]) -> Data {
        let pairs = fields.sorted { $0.key < $1.key }.map { "\(escape($0.key))=\(escape($0.value))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    private static func escape(_ text: String) -> String {
        // This never fails, because Swift strings are valid Unicode.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
