import Foundation
import NightlatchWire

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks to a relying party as the app's backend does.
struct BackendClient {
    let server: Issuer
    let backendKey: BackendKey

    /// A new code. A request whose answer was lost may be made again: the lost code dies unused.
    func enrolmentCode(_ request: EnrolmentCodeRequest) async throws(CommandFailure) -> EnrolmentCodeGrant {
        guard let url = server.url(path: Route.enrolmentCodes.path) else {
            throw CommandFailure(.usage, "“\(server)” has no routes.")
        }
        var message = URLRequest(url: url, timeoutInterval: 30)
        message.httpMethod = Route.enrolmentCodes.method.rawValue
        message.setValue("application/json", forHTTPHeaderField: "Content-Type")
        message.setValue("Bearer " + backendKey.rawValue, forHTTPHeaderField: "Authorization")
        message.httpBody = StrictJSON.encode(request)
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await URLSession.shared.data(for: message)
        } catch {
            throw CommandFailure(.unavailable, "cannot reach \(server): \(error.localizedDescription)")
        }
        switch (response as? HTTPURLResponse)?.statusCode ?? 0 {
        case 200: return try decode(EnrolmentCodeGrant.self, from: data)
        case 400..<500: throw CommandFailure(.refused, "refused: " + (try decode(Problem.self, from: data)).title)
        default: throw CommandFailure(.unavailable, "\(server) cannot serve now. Try again later.")
        }
    }

    private func decode<Message: Decodable>(_ type: Message.Type, from data: Data) throws(CommandFailure) -> Message {
        do {
            return try StrictJSON.decode(type, from: data)
        } catch {
            throw CommandFailure(.unavailable, "\(server) does not answer as a relying party does.")
        }
    }
}
