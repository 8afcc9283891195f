import NightlatchProgram
import NightlatchWire

/// The id of a transaction or a login on the command line. Both have the same form.
struct PendingID {
    let transaction: TransactionID
    let login: RemoteLoginID

    init(_ text: String) throws(CommandFailure) {
        guard let transaction = TransactionID(rawValue: text), let login = RemoteLoginID(rawValue: text) else {
            throw CommandFailure(
                .usage,
                "“\(text)” is not the id of a transaction or login, which has 32 digits 0 to 9 and a to f.")
        }
        self.transaction = transaction
        self.login = login
    }
}
