import Foundation
import Nightlatch
import NightlatchWire

/// One line of what the user decides. The device signs exactly these values, so a screen shows all of them, unchanged.
struct DetailLine: Hashable {
    let label: String
    let value: String
}

extension PendingTransaction {
    var amount: String { "\(details.amount.rawValue) \(details.currency.rawValue)" }

    var lines: [DetailLine] {
        [DetailLine(label: "Amount", value: amount), DetailLine(label: "To", value: details.payee.rawValue)]
            + details.lines.map { DetailLine(label: $0.label.rawValue, value: $0.value.rawValue) }
            + [DetailLine(label: "Expires", value: details.expiresAt.text)]
    }

    /// The reason for a prompt.
    var reason: String { "Pay \(amount) to \(details.payee.rawValue)" }
}

extension PendingRemoteLogin {
    var lines: [DetailLine] {
        var lines = [
            DetailLine(label: "App", value: details.app.rawValue),
            DetailLine(label: "App's id", value: details.client.rawValue),
        ]
        if let place = details.place { lines.append(DetailLine(label: "Place", value: place.rawValue)) }
        if let message = details.message { lines.append(DetailLine(label: "Message", value: message.rawValue)) }
        return lines + [
            DetailLine(label: "Requested", value: details.requestedAt.text),
            DetailLine(label: "Expires", value: details.expiresAt.text),
        ]
    }

    /// The reason for a prompt.
    var reason: String { "Log in to \(details.app.rawValue)" }
}

extension NumericDate {
    /// The date and the time, in the user's language.
    var text: String { date.formatted(date: .abbreviated, time: .standard) }
}
