import Foundation

/// `application/x-www-form-urlencoded`.
enum FormEncoding {
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The fields in the order of their names, everything but unreserved characters escaped.
    static func encode(_ fields: [String: String]) -> Data {
        let pairs = fields.sorted { $0.key < $1.key }.map { "\(escape($0.key))=\(escape($0.value))" }
        return Data(pairs.joined(separator: "&").utf8)
    }

    private static func escape(_ text: String) -> String {
        // Swift strings are always valid Unicode, for which this never fails.
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}
