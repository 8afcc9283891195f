/// A JSON text that is being written: members in the order of their names, no white space, no needless escapes.
///
/// What comes in another order, or later than what follows it, is put in its place when its object or array ends. But for that, one value
/// is written at a time: members go to the innermost value that has begun, which is an object then.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// The innermost value that has begun: the document, unless one of its parts is being written.
    private var value = Value(start: 0, firstPart: 0)
    /// Those around it, the outermost first.
    private var outer: [Value] = []
    /// The parts of all of them, where those of an outer one come before those of an inner.
    private var parts: [Part] = []

    /// What most messages fit in. With what an array has besides, it is still of a size that allocators keep at hand.
    private static let expectedByteCount = 960
    /// How many members most objects have at most.
    private static let expectedPartCount = 16

    enum Form { case nothing, scalar, array, object }

    /// A value that has begun.
    private struct Value {
        let start: Int
        /// Where its parts begin.
        let firstPart: Int
        var form = Form.nothing
        /// How many members or elements it has.
        var count = 0
        /// Nothing is to be put in its place.
        var isAsWritten = true
    }

    /// A member of an object; of arrays alone an element that is written later.
    private struct Part {
        let name: String
        /// Where its name begins. Before it stands a comma, but for the first.
        var start: Int
        /// Where its value begins.
        var valueStart: Int
        /// What its value is written by, if that may take until its object or array ends.
        var later: JSONValueEncoder?
    }

    init() {
        bytes.reserveCapacity(Self.expectedByteCount)
        parts.reserveCapacity(Self.expectedPartCount)
    }

    /// How many members or elements the value has so far.
    var count: Int { value.count }

    /// Makes the value an object or an array. If it is one, it stays what it is; what it was else is gone.
    mutating func begin(_ form: Form) {
        if value.form == form { return }
        replace(by: form)
        bytes.append(form == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Makes the value one that has no parts, in the place of what it was before.
    mutating func write(_ write: (inout [UInt8]) -> Void) {
        replace(by: .scalar)
        write(&bytes)
    }

    /// Adds a member to an object.
    mutating func addMember(_ name: String, _ write: (inout [UInt8]) -> Void) {
        beginMember(name)
        write(&bytes)
    }

    /// What is written next is the value of a member, until ``endPart()``.
    mutating func beginPart(_ name: String) {
        beginMember(name)
        beginValue()
    }

    /// As ``beginPart(_:)``, of an element.
    mutating func beginPart() {
        beginElement()
        beginValue()
    }

    mutating func endPart() {
        end()
        value = outer.removeLast()
    }

    /// `encoder` writes a member, until the object ends.
    mutating func addMember(_ name: String, writtenBy encoder: JSONValueEncoder) {
        beginMember(name)
        parts[parts.count - 1].later = encoder
        value.isAsWritten = false
    }

    /// `encoder` writes an element, until the array ends.
    mutating func addElement(writtenBy encoder: JSONValueEncoder) {
        beginElement()
        parts.append(Part(name: "", start: bytes.count, valueStart: bytes.count, later: encoder))
        value.isAsWritten = false
    }

    /// Ends the value, once.
    mutating func end() {
        if !value.isAsWritten { rearrange() }
        switch value.form {
        case .nothing: bytes += "{}".utf8
        case .scalar: break
        case .array: bytes.append(UInt8(ascii: "]"))
        case .object: bytes.append(UInt8(ascii: "}"))
        }
        parts.removeSubrange(value.firstPart...)
    }

    private mutating func replace(by form: Form) {
        if value.form != .nothing {
            bytes.removeSubrange(value.start...)
            parts.removeSubrange(value.firstPart...)
            value = Value(start: value.start, firstPart: value.firstPart)
        }
        value.form = form
    }

    private mutating func beginMember(_ name: String) {
        precondition(value.form == .object, "a member of what is no object")
        if value.count > 0, parts[parts.count - 1].name >= name { value.isAsWritten = false }
        beginPlace()
        let start = bytes.count
        JSONValueEncoder.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        parts.append(Part(name: name, start: start, valueStart: bytes.count))
    }

    private mutating func beginElement() {
        precondition(value.form == .array, "an element of what is no array")
        beginPlace()
    }

    private mutating func beginPlace() {
        if value.count > 0 { bytes.append(UInt8(ascii: ",")) }
        value.count += 1
    }

    private mutating func beginValue() {
        outer.append(value)
        value = Value(start: bytes.count, firstPart: parts.count)
    }

    /// Puts in what was written later, and members in the order of their names.
    private mutating func rearrange() {
        for index in value.firstPart..<parts.count {
            guard let text = parts[index].later?.finish() else { continue }
            bytes.insert(contentsOf: text, at: parts[index].valueStart)
            for next in (index + 1)..<parts.count {
                parts[next].start += text.count
                parts[next].valueStart += text.count
            }
        }
        guard value.form == .object else { return }
        let ends = parts[(value.firstPart + 1)...].map { $0.start - 1 } + [bytes.count]
        // Sorting is stable: what was encoded later under one name stands later.
        let members = zip(parts[value.firstPart...], ends).map { part, end in (part.name, bytes[part.start..<end]) }
            .sorted { $0.0 < $1.0 }
        bytes.removeSubrange((value.start + 1)...)
        for (index, (name, text)) in members.enumerated() {
            // Of what was encoded twice, the last stands.
            if index + 1 < members.count, members[index + 1].0 == name { continue }
            if bytes.count > value.start + 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += text
        }
    }
}
