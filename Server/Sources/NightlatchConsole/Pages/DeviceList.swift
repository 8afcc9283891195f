import NightlatchRelyingParty
import NightlatchWire

/// The list of devices: its filter and place in an address.
struct DeviceList {
    static let filterNames = ["name", "id", "status", "app"]

    let name: String?
    let id: String?
    let status: DeviceFilter.Status?
    let client: ClientID?
    let position: ListPosition?
    let kept: [Fact]

    init(_ fields: ListFields) throws(ConsoleRefusal) {
        name = fields.text("name")
        id = fields.text("id")
        status = try fields.value("status", DeviceFilter.Status.init)
        client = try fields.value("app", ClientID.init)
        let from = fields.text("from").map { ListPosition(text: SearchText($0), id: "") }
        let last = try fields.value("after", DeviceID.init)
        position =
            last.map {
                ListPosition(text: SearchText(fields.text("after_name") ?? ""), id: $0.rawValue)
            } ?? from
        kept = fields.kept(Self.filterNames)
    }

    /// The filter; nil if the input is not the beginning of an id.
    var filter: DeviceFilter? {
        var digits: String?
        if let id {
            digits = Self.idDigits(id)
            if digits == nil { return nil }
        }
        return DeviceFilter(name: name.map { SearchText($0) }, id: digits, status: status, client: client)
    }

    /// Returns the beginning of a device's id in small letters; nil if `text` is too short or is none.
    static func idDigits(_ text: String) -> String? {
        let digits = text.lowercased()
        let isHexadecimal = digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        return (DeviceFilter.shortestID...32).contains(digits.utf8.count) && isHexadecimal ? digits : nil
    }

    func caption(_ count: BoundedCount) -> String {
        let conditions = [
            status.map { "state: \($0.inWords)" }, client.map { "app: \($0.rawValue)" },
            name.map { "name begins with “\($0)”" }, id.map { "id begins with “\($0)”" },
        ].compactMap(\.self)
        let order = filter?.isOrderedByID == true ? "in the order of their ids" : "in the order of their names"
        return ([count.inWords("device", "devices")] + conditions + [order]).joined(separator: ", ")
    }
}

extension DeviceFilter.Status {
    var inWords: String {
        switch self {
        case .active: "active"
        case .blocked: "blocked"
        case .revoked: "revoked or replaced"
        case .pinUsedUp: "no guess left at the PIN"
        }
    }
}
