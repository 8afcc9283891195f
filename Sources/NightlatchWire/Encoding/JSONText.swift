/// Builds a JSON text: members sorted by name, no white space, no needless escapes.
///
/// Parts are written to the innermost open value. Members that were not added in order, and parts that are encoded
/// later, move to their place when their object or array ends.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    /// The innermost open value: the document, or the part that is being written.
    private var value = Value(start: 0, firstPart: 0)
    /// The values around it, the outermost first.
    private var outer: [Value] = []
    /// The parts of all open values. Those of an outer value come before those of an inner one.
    private var parts: [Part] = []

    /// The capacity, which fits most messages. With the array's header it still has a size that allocators cache.
    private static let expectedByteCount = 960
    /// The capacity for members, which fits most objects.
    private static let expectedPartCount = 16

    enum Form { case nothing, scalar, array, object }

    /// An open value.
    private struct Value {
        let start: Int
        /// The index of its first part.
        let firstPart: Int
        var form = Form.nothing
        /// The number of its members or elements.
        var count = 0
        /// Whether the text is final as written: members are in order and no part comes later.
        var isAsWritten = true
    }

    /// A member of an object, or an element of an array that is written later.
    private struct Part {
        let name: String
        /// The start of the name. A comma precedes it, except in the first member.
        var start: Int
        /// The start of the value.
        var valueStart: Int
        /// The encoder that writes the value later, before the object or array ends; nil if the value is written.
        var later: JSONValueEncoder?
    }

    init() {
        bytes.reserveCapacity(Self.expectedByteCount)
        parts.reserveCapacity(Self.expectedPartCount)
    }

    /// The current number of members or elements of the value.
    var count: Int { value.count }

    /// Makes the value an object or an array. A value of this form stays unchanged; a value of another form is
    /// discarded.
    mutating func begin(_ form: Form) {
        if value.form == form { return }
        replace(by: form)
        bytes.append(form == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Makes the value a scalar, in place of any earlier value.
    mutating func write(_ write: (inout [UInt8]) -> Void) {
        replace(by: .scalar)
        write(&bytes)
    }

    /// Adds a member to an object.
    mutating func addMember(_ name: String, _ write: (inout [UInt8]) -> Void) {
        beginMember(name)
        write(&bytes)
    }

    /// Begins a member. The next writes are its value, until ``endPart()``.
    mutating func beginPart(_ name: String) {
        beginMember(name)
        beginValue()
    }

    /// Begins an element. The next writes are its value, until ``endPart()``.
    mutating func beginPart() {
        beginElement()
        beginValue()
    }

    mutating func endPart() {
        end()
        value = outer.removeLast()
    }

    /// Adds a member that `encoder` writes before the object ends.
    mutating func addMember(_ name: String, writtenBy encoder: JSONValueEncoder) {
        beginMember(name)
        parts[parts.count - 1].later = encoder
        value.isAsWritten = false
    }

    /// Adds an element that `encoder` writes before the array ends.
    mutating func addElement(writtenBy encoder: JSONValueEncoder) {
        beginElement()
        parts.append(Part(name: "", start: bytes.count, valueStart: bytes.count, later: encoder))
        value.isAsWritten = false
    }

    /// Ends the value. Call it once.
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
        precondition(value.form == .object, "a member in a value that is not an object")
        if value.count > 0, parts[parts.count - 1].name >= name { value.isAsWritten = false }
        beginPlace()
        let start = bytes.count
        JSONValueEncoder.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        parts.append(Part(name: name, start: start, valueStart: bytes.count))
    }

    private mutating func beginElement() {
        precondition(value.form == .array, "an element in a value that is not an array")
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

    /// Inserts the parts that were written later, and sorts members by name.
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
        // The sort is stable: of members with the same name, the last one encoded comes last.
        let members = zip(parts[value.firstPart...], ends).map { part, end in (part.name, bytes[part.start..<end]) }
            .sorted { $0.0 < $1.0 }
        bytes.removeSubrange((value.start + 1)...)
        for (index, (name, text)) in members.enumerated() {
            // Of members with the same name, the last one is kept.
            if index + 1 < members.count, members[index + 1].0 == name { continue }
            if bytes.count > value.start + 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += text
        }
    }
}
