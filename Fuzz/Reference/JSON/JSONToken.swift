/// A token of a JSON document. Two documents with the same content in the same order have the same tokens.
public enum JSONToken: Hashable {
    case openObject, closeObject, openArray, closeArray
    /// In UTF-16, because Swift compares strings by canonical equivalence.
    case name([UInt16])
    case string([UInt16])
    case number(String)
    case literal(String)
}
