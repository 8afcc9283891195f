import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

/// The routes by which the app's backend creates, reads and voids transactions.
struct TransactionRoutes {
    let transactions: BackendTransactions
    let backend: BackendAccess

    func add(to routes: RouteGroup) {
        let (transactions, backend) = (transactions, backend)
        routes.serve(.createTransaction) { request, context in
            let actor = try await backend.admit(request, context, for: .transactionsWrite)
            return try await transactions.create(context.message(of: request), by: actor)
        }
        routes.serve(.transactions) { request, context in
            try await backend.admit(request, context, for: .transactionsRead)
            return try await transactions.transactions(of: request.queriedUser())
        }
        routes.serve(.transaction) { request, context in
            try await backend.admit(request, context, for: .transactionsRead)
            return try await transactions.transaction(context.transactionID())
        }
        routes.serve(.voidTransaction) { request, context in
            let actor = try await backend.admit(request, context, for: .transactionsWrite)
            return try await transactions.void(context.transactionID(), by: actor)
        }
    }
}

extension RelyingPartyRequestContext {
    /// Returns the transaction id in the request's path.
    ///
    /// - Throws: `Refusal.notFound` if the id is malformed.
    func transactionID() throws(Refusal) -> TransactionID {
        guard let id = parameters.get("transaction").flatMap(TransactionID.init) else { throw .notFound }
        return id
    }
}
