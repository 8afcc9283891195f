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
            try backend.admit(request, context)
            return try await transactions.create(context.message(of: request))
        }
        routes.serve(.transactions) { request, context in
            try backend.admit(request, context)
            return try await transactions.transactions(of: request.queriedUser())
        }
        routes.serve(.transaction) { request, context in
            try backend.admit(request, context)
            return try await transactions.transaction(transactionID(context))
        }
        routes.serve(.voidTransaction) { request, context in
            try backend.admit(request, context)
            return try await transactions.void(transactionID(context))
        }
    }
}

/// Returns the transaction id in the request's path.
///
/// - Throws: `Refusal.notFound` if the id is malformed.
private func transactionID(_ context: RelyingPartyRequestContext) throws(Refusal) -> TransactionID {
    guard let id = context.parameters.get("transaction").flatMap(TransactionID.init) else { throw .notFound }
    return id
}
