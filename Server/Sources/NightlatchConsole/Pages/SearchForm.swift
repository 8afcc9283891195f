/// The values for the form above a list, which filters the list's rows.
struct SearchForm: Sendable {
    let action: String
    let button: String
    let fields: [Field]

    /// A field of the form: a text, a time, or a choice if there are options.
    struct Field: Sendable {
        let name: String
        let label: String
        let value: String
        let type: String
        /// The largest number of characters; nil for no limit.
        let limit: Int?
        let hint: String?
        let choices: [FormChoice]
        let isShort: Bool
    }
}

extension SearchForm.Field {
    static func text(
        _ name: String, _ label: String, _ value: String?, limit: Int, hint: String? = nil, isShort: Bool = false
    ) -> Self {
        Self(
            name: name, label: label, value: value ?? "", type: "search", limit: limit, hint: hint, choices: [],
            isShort: isShort)
    }

    /// The latest time of the rows.
    static func until(_ time: ListTime?) -> Self {
        Self(
            name: "until", label: "Until (UTC)", value: time?.text ?? "", type: "datetime-local", limit: nil,
            hint: nil, choices: [], isShort: true)
    }

    /// A choice among all rows and those that have one of `values`.
    static func choice<Value: RawRepresentable<String> & Equatable>(
        _ name: String, _ label: String, _ values: some Sequence<Value>, chosen: Value?, text: (Value) -> String
    ) -> Self {
        let all = FormChoice(value: "", text: "All", isChosen: chosen == nil)
        return Self(
            name: name, label: label, value: "", type: "", limit: nil, hint: nil,
            choices: [all]
                + values.map { FormChoice(value: $0.rawValue, text: text($0), isChosen: $0 == chosen) },
            isShort: true)
    }
}
