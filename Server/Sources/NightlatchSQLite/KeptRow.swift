import GRDB
import GRDBSQLite
import NightlatchRelyingParty
import NightlatchWire

/// The current row of a ``KeptStatement``, read by column index.
///
/// After the statement was reset, or has advanced past the last row, each column is null.
struct KeptRow {
    private let statement: Statement

    init(_ statement: Statement) {
        self.statement = statement
    }

    func optionalText(_ place: CInt) -> String? {
        let handle = unsafe statement.sqliteStatement
        guard let start = unsafe sqlite3_column_text(handle, place) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(handle, place))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalBlob(_ place: CInt) -> [UInt8]? {
        let handle = unsafe statement.sqliteStatement
        guard let start = unsafe sqlite3_column_blob(handle, place) else {
            // An empty blob has no address.
            return unsafe sqlite3_column_type(handle, place) == SQLITE_NULL ? nil : []
        }
        let count = Int(unsafe sqlite3_column_bytes(handle, place))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func optionalInteger(_ place: CInt) -> Int? {
        let handle = unsafe statement.sqliteStatement
        guard unsafe sqlite3_column_type(handle, place) != SQLITE_NULL else { return nil }
        return Int(unsafe sqlite3_column_int64(handle, place))
    }

    func text(_ place: CInt) throws(RelyingPartyStoreError) -> String {
        guard let text = optionalText(place) else { throw RelyingPartyStoreError(.corrupt) }
        return text
    }

    func integer(_ place: CInt) throws(RelyingPartyStoreError) -> Int {
        guard let integer = optionalInteger(place) else { throw RelyingPartyStoreError(.corrupt) }
        return integer
    }

    func blob(_ place: CInt) throws(RelyingPartyStoreError) -> [UInt8] {
        guard let bytes = optionalBlob(place) else { throw RelyingPartyStoreError(.corrupt) }
        return bytes
    }

    func date(_ place: CInt) throws(RelyingPartyStoreError) -> NumericDate {
        NumericDate(secondsSince1970: try integer(place))
    }

    func optionalDate(_ place: CInt) -> NumericDate? {
        optionalInteger(place).map(NumericDate.init(secondsSince1970:))
    }

    /// Decodes the JSON text of the column at `place`.
    func json<Value: Decodable>(_ place: CInt) throws(RelyingPartyStoreError) -> Value {
        do {
            return try StrictJSON.read(Value.self, from: try blob(place), isStored: true)
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
    }

    /// Returns the identifier in the column at `place`. The store writes only valid identifiers.
    func identifier<Rule>(_ place: CInt) throws(RelyingPartyStoreError) -> Identifier<Rule> {
        guard let identifier = Identifier<Rule>.stored(try text(place)) else { throw RelyingPartyStoreError(.corrupt) }
        return identifier
    }

    /// Like ``identifier(_:)``, but returns nil for a null column.
    func optionalIdentifier<Rule>(_ place: CInt) throws(RelyingPartyStoreError) -> Identifier<Rule>? {
        optionalText(place) == nil ? nil : try identifier(place)
    }
}
