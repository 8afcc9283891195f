import NightlatchProgram
import NightlatchRelyingParty
import NightlatchWire

extension DatabaseOptions {
    /// Opens the store and runs an operator's `work` on it. The store must exist.
    func administer<Value>(
        _ work: (Administration) async throws(AdministrationError) -> Value
    ) async throws -> Value {
        try await withStore { opened in
            do throws(AdministrationError) {
                return try await work(Administration(of: opened.store, by: .operator))
            } catch {
                throw error.told
            }
        }
    }
}

extension AdministrationError {
    /// The error with which the command ends. A store error stays unchanged, because `withStore` makes a message of it,
    /// with the database's name.
    var told: any Error {
        switch self {
        case .userUnknown: CommandFailure(.refused, "There is no such user.")
        case .deviceUnknown: CommandFailure(.refused, "The user has no such device.")
        case .transactionEnded(let state): CommandFailure(.refused, "The transaction is already \(state.rawValue).")
        case .transactionUnknown: CommandFailure(.refused, "There is no such transaction.")
        case .deviceRevoked: CommandFailure(.refused, "The device was revoked, which cannot be undone.")
        case .appUnknown: CommandFailure(.refused, "There is no such app.")
        case .appChanged:
            CommandFailure(.refused, "The app’s id is not new, or the app was changed since. Show it, then try again.")
        case .tooManyApps:
            CommandFailure(.refused, "There are \(StoredApp.countLimit) apps, which is the maximum. Remove one.")
        case .apiKeyUnknown: CommandFailure(.refused, "There is no such API key.")
        case .apiKeyNameTaken:
            CommandFailure(.refused, "An API key that is not revoked has this name. Choose another one.")
        case .tooManyAPIKeys:
            CommandFailure(.refused, "There are \(APIKey.countLimit) API keys, which is the maximum. Revoke one.")
        case .apiKeyExpired: CommandFailure(.refused, "The key would have expired already.")
        case .apiKeyCreatorEnded: CommandFailure(.refused, "The key that creates was revoked or has expired.")
        case .apiKeyBeyondCreator: CommandFailure(.refused, "The key that creates may do less, or ends earlier.")
        case .webhookUnknown: CommandFailure(.refused, "There is no such webhook.")
        case .webhookChanged:
            CommandFailure(.refused, "The webhook was changed at the same time. Nothing was changed. Try again.")
        case .tooManyWebhooks:
            CommandFailure(.refused, "There are \(Webhook.countLimit) webhooks, which is the maximum. Remove one.")
        case .noWebhookSecret: CommandFailure(.defect, "the cryptographic library made no secret.")
        case .operatorUnknown: CommandFailure(.refused, "The user is no operator.")
        case .alreadyOperator(let role):
            CommandFailure(.refused, "The user is an operator already, with the role \(role.rawValue).")
        case .operatorNameTaken: CommandFailure(.refused, "Another operator has this name. Choose another one.")
        case .tooManyOperators:
            CommandFailure(.refused, "There are \(Operator.countLimit) operators, which is the maximum. Remove one.")
        case .lastOwner: CommandFailure(.refused, "This is the only owner.")
        case .store(let error): error
        }
    }
}
