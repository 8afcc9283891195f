import NightlatchWire

/// An object of a journey file, read member by member; unknown members are refused.
struct JourneyFileObject {
    let place: String
    private let members: [JSONObject.Member]

    /// - Parameters:
    ///   - value: The value in the file.
    ///   - place: The place of the value.
    ///   - names: The permitted members; nil for any.
    init(_ value: JSONValue, at place: String, allowing names: Set<String>? = nil) throws(JourneyFileError) {
        guard let members = value.object?.members else { throw JourneyFileError(.notA("an object"), at: place) }
        if let names, let unknown = members.first(where: { !names.contains($0.name) }) {
            throw JourneyFileError(.unknownMember(unknown.name), at: place)
        }
        self.members = members
        self.place = place
    }

    var names: [String] { members.map(\.name) }

    func value(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }

    func path(_ name: String) -> String { place.isEmpty ? name : place + "." + name }

    func text(_ name: String) throws(JourneyFileError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw JourneyFileError(.notA("a text"), at: path(name)) }
        return text
    }

    func requiredText(_ name: String) throws(JourneyFileError) -> String {
        guard let text = try text(name) else { throw JourneyFileError(.missing(name), at: place) }
        return text
    }

    func bool(_ name: String, default: Bool) throws(JourneyFileError) -> Bool {
        guard let value = value(name) else { return `default` }
        guard case .bool(let bool) = value else { throw JourneyFileError(.notA("true or false"), at: path(name)) }
        return bool
    }

    func integer(_ name: String, in range: ClosedRange<Int>, default: Int) throws(JourneyFileError) -> Int {
        guard let value = value(name) else { return `default` }
        guard let integer = value.integer, range.contains(integer) else {
            throw JourneyFileError(
                .notA("a whole number from \(range.lowerBound) to \(range.upperBound)"), at: path(name))
        }
        return integer
    }

    /// A list of strings that are not empty and differ from one another.
    func texts(_ name: String) throws(JourneyFileError) -> [String]? {
        guard let value = value(name) else { return nil }
        let texts = value.array?.compactMap(\.string).filter { !$0.isEmpty } ?? []
        guard let count = value.array?.count, texts.count == count, Set(texts).count == count else {
            throw JourneyFileError(.notA("a list of different texts"), at: path(name))
        }
        return texts
    }

    /// A string, or one string for each language: `{"en": "…", "de": "…"}`.
    func localizedText(_ name: String, default: String) throws(JourneyFileError) -> LocalizedText {
        guard let value = value(name) else { return LocalizedText(`default`) }
        if let text = value.string { return LocalizedText(text) }
        guard let members = value.object?.members else {
            throw JourneyFileError(.notA("a text, or an object of texts by language"), at: path(name))
        }
        var translations: [String: String] = [:]
        for member in members {
            guard let text = member.value.string else {
                throw JourneyFileError(.notA("a text"), at: path(name) + "." + member.name)
            }
            translations[member.name.lowercased().replacing("_", with: "-")] = text
        }
        return LocalizedText(translations["en"] ?? `default`, translations: translations)
    }
}
