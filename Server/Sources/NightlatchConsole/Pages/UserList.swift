import NightlatchRelyingParty
import NightlatchWire

/// The list of users: its filter and place in an address.
struct UserList {
    static let filterNames = ["prefix"]

    let prefix: String?
    let position: ListPosition?
    let kept: [Fact]

    init(_ fields: ListFields) throws(ConsoleRefusal) {
        prefix = fields.text("prefix")
        let from = fields.text("from").map { ListPosition(text: SearchText($0), id: "") }
        position =
            try fields.value("after", UserID.init).map {
                ListPosition(text: SearchText($0.rawValue), id: $0.rawValue)
            } ?? from
        kept = fields.kept(Self.filterNames)
    }

    var filter: SearchText? { prefix.map { SearchText($0) } }

    func caption(_ count: BoundedCount) -> String {
        let number = count.inWords("user", "users")
        guard let prefix else { return "\(number), in the order of their ids" }
        return "\(number) whose id begins with “\(prefix)”, in the order of their ids"
    }
}
