import NightlatchWire

extension AuditEvent {
    /// The id of the user, or the pseudonym of a deleted one.
    package var shownUser: String? { filedUnder?.rawValue }

    /// ``claims`` with invisible and control characters escaped for display, because the signer chooses their text.
    package var shownClaims: String? { claims?.withEscapes }

    /// ``members`` or ``policyMembers`` as a list, the name of the exported ``list``, the name, the id and the
    /// ``scopes`` of an API key, the id of the ``webhook``, or the name and ``role`` of an operator; nil for none.
    package var shownMembers: String? {
        let changed = (members ?? []).map(\.rawValue) + (policyMembers ?? []).map(\.rawValue)
        let names =
            changed
            + [
                list?.rawValue, apiKeyName?.rawValue, apiKey?.rawValue, webhook?.rawValue, operatorName?.rawValue,
                role?.rawValue,
            ].compactMap(\.self)
            + (scopes ?? []).map(\.rawValue)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
