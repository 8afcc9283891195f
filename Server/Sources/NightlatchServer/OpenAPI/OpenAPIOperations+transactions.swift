import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperations {
    static let transactions = [
        OpenAPIOperation(
            route: .createTransaction, name: "createTransaction", summary: "Asks a user for a decision.",
            details: """
                The backend chooses the id. After a lost answer, send the same request again: it gives the same \
                transaction. Devices show all members of `details`, unchanged. Save the request to check the \
                proof later.
                """,
            caller: .backend(.transactionsWrite), body: .json(schema: "TransactionRequest"),
            answer: "TransactionReport",
            refusals: [.transactionIDTaken, .addresseeUnknown, .tooManyTransactions, .expiryRefused]),
        OpenAPIOperation(
            route: .transactions, name: "listTransactions", summary: "The transactions of one user, without proofs.",
            details: "All pending ones, and the ten newest that have ended; oldest first.",
            caller: .backend(.transactionsRead), parameters: [OpenAPISchema.queryParameter("user", schema: "UserID")],
            answer: "TransactionReportList", refusals: [.malformedRequest]),
        OpenAPIOperation(
            route: .transaction, name: "transaction", summary: "A transaction and the proof of its decision.",
            details: """
                The proof is the message that the device key signed. A backend checks it against the details \
                that it has sent, not against those of the answer. A transaction is deleted 90 days after \
                `expires_at`.
                """,
            caller: .backend(.transactionsRead),
            parameters: [OpenAPISchema.pathParameter("transaction", schema: "TransactionID")],
            answer: "TransactionReport", refusals: [.notFound]),
        OpenAPIOperation(
            route: .voidTransaction, name: "voidTransaction", summary: "Voids a pending transaction.",
            details: """
                Idempotent. A transaction that was decided or has expired keeps its state, and the answer is \
                that state's code.
                """, caller: .backend(.transactionsWrite),
            parameters: [OpenAPISchema.pathParameter("transaction", schema: "TransactionID")],
            answer: "TransactionReport",
            refusals: [.notFound, .transactionConfirmed, .transactionRejected, .transactionExpired]),
    ]

    static let decisions = [
        OpenAPIOperation(
            route: .pendingTransactions, name: "listPendingTransactions",
            summary: "The transactions that the caller may decide now.",
            details: "Oldest first. A device shows all members of `details`, unchanged.",
            caller: .session, answer: "TransactionNoticeList", nonce: .always),
        OpenAPIOperation(
            route: .beginDecision, name: "beginDecision", summary: "A challenge for a decision.",
            details: """
                A transaction that has ended gets the code of its state. The challenge is valid for two minutes. \
                Nothing is stored.
                """, caller: .session,
            body: .json(schema: "DecisionRequest"), answer: "CeremonyChallenge", nonce: .always,
            refusals: [.notFound] + ended),
        OpenAPIOperation(
            route: .finishDecision, name: "finishDecision",
            summary: "Records the decision that the device key signed.",
            details: """
                The message is a JWS with `typ` `nightlatch-transaction+jwt` and the hash of the details that \
                the user was shown. It needs no access token: the device key signs. The same message gives the \
                same answer until its challenge expires.
                """,
            body: .json(schema: "SignedAnswer"), answer: "DecisionResult", nonce: .always,
            refusals: challengeRefusals + [.notFound, .transactionChanged] + ended),
    ]

    private static let ended: [Refusal] = [
        .transactionConfirmed, .transactionRejected, .transactionExpired, .transactionVoided,
    ]
}
