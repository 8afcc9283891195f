/// A piece of a JSON document. Two documents that say the same in the same order have the same pieces.
public enum JSONToken: Hashable {
    case openObject, closeObject, openArray, closeArray
    /// In UTF-16, since strings of Swift's are equal already if they are canonically equivalent.
    case name([UInt16])
    case string([UInt16])
    case number(String)
    case literal(String)
}
