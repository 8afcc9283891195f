import CPostgres
import NightlatchRelyingParty
import NightlatchWire

/// The result of a statement.
///
/// Safe to hold: libpq's result is never shared, and is cleared in `deinit`.
@safe
final class PostgresRows {
    private let result: OpaquePointer
    let count: Int

    /// Takes ownership of a libpq result.
    init(_ result: OpaquePointer) {
        unsafe self.result = unsafe result
        unsafe count = Int(PQntuples(result))
    }

    deinit { unsafe PQclear(result) }

    /// The number of rows that a statement has written.
    var affectedCount: Int { unsafe Int(String(cString: PQcmdTuples(result))) ?? 0 }

    /// The name of the command that the server carried out, such as `COMMIT`.
    var command: String { unsafe String(cString: PQcmdStatus(result)) }

    /// The error code of the statement; empty if libpq itself failed.
    var sqlState: String {
        // 67 is the letter C, libpq's field code for SQLSTATE.
        unsafe PQresultErrorField(result, 67).map { unsafe String(cString: $0) } ?? ""
    }

    var isEmpty: Bool { count == 0 }

    var first: PostgresRow? { isEmpty ? nil : PostgresRow(rows: self, index: 0) }

    func map<Value>(
        _ transform: (PostgresRow) throws(RelyingPartyStoreError) -> Value
    ) throws(RelyingPartyStoreError) -> [Value] {
        var values: [Value] = []
        for index in 0..<count { values.append(try transform(PostgresRow(rows: self, index: Int32(index)))) }
        return values
    }

    /// Returns the bytes of a column; nil for NULL. A column that the statement does not return is a defect.
    fileprivate func bytes(_ column: String, of row: Int32) throws(RelyingPartyStoreError) -> UnsafeRawBufferPointer? {
        let index = unsafe PQfnumber(result, column)
        guard index >= 0 else { throw RelyingPartyStoreError(.defect) }
        if unsafe PQgetisnull(result, row, index) == 1 { return nil }
        return unsafe UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, index), count: Int(PQgetlength(result, row, index)))
    }
}

/// A row of a result. Reading a value throws `corrupt` if the value is not in the format in which the store writes it.
struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: Int32

    func optionalInteger(_ column: String) throws(RelyingPartyStoreError) -> Int? {
        guard let bytes = unsafe try rows.bytes(column, of: index) else { return nil }
        guard bytes.count == 8 else { throw RelyingPartyStoreError(.corrupt) }
        return unsafe Int(truncatingIfNeeded: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    func optionalBytes(_ column: String) throws(RelyingPartyStoreError) -> [UInt8]? {
        unsafe try rows.bytes(column, of: index).map { unsafe Array($0) }
    }

    func integer(_ column: String) throws(RelyingPartyStoreError) -> Int { try present(try optionalInteger(column)) }

    func bytes(_ column: String) throws(RelyingPartyStoreError) -> [UInt8] { try present(try optionalBytes(column)) }

    func text(_ column: String) throws(RelyingPartyStoreError) -> String {
        try present(String(validating: try bytes(column), as: UTF8.self))
    }

    func optionalText(_ column: String) throws(RelyingPartyStoreError) -> String? {
        try optionalBytes(column) == nil ? nil : text(column)
    }

    func date(_ column: String) throws(RelyingPartyStoreError) -> NumericDate {
        NumericDate(secondsSince1970: try integer(column))
    }

    func optionalDate(_ column: String) throws(RelyingPartyStoreError) -> NumericDate? {
        try optionalInteger(column).map(NumericDate.init(secondsSince1970:))
    }

    /// Returns a column as an identifier. The store writes only valid identifiers.
    func identifier<Rule>(_ column: String) throws(RelyingPartyStoreError) -> Identifier<Rule> {
        try present(Identifier<Rule>.stored(try text(column)))
    }

    /// Decodes the JSON text of a column.
    func json<Value: Decodable>(_ column: String) throws(RelyingPartyStoreError) -> Value {
        let bytes = try bytes(column)
        do {
            return try StrictJSON.read(Value.self, from: bytes, isStored: true)
        } catch {
            throw RelyingPartyStoreError(.corrupt)
        }
    }

    private func present<Value>(_ value: Value?) throws(RelyingPartyStoreError) -> Value {
        guard let value else { throw RelyingPartyStoreError(.corrupt) }
        return value
    }
}
