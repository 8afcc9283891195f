import HTTPTypes
import Hummingbird
import NightlatchRelyingParty
import NightlatchWire

extension OpenAPIOperation {
    /// The operation object of the description
    /// ([OpenAPI 3.1.0, section 4.8.10](https://spec.openapis.org/oas/v3.1.0#operation-object)).
    package var object: JSONTree {
        var members: [String: JSONTree] = [
            "operationId": .string(name), "tags": [.string(tag.rawValue)], "summary": .string(summary),
            "description": .string(details), "responses": .object(responses),
        ]
        if !allParameters.isEmpty { members["parameters"] = .array(allParameters) }
        if let body { members["requestBody"] = body.object }
        switch caller {
        case .anybody, .provedDevice: members["security"] = []
        case .backend(let scope):
            members["security"] = [["backendKey": []], ["apiKey": [.string(scope.rawValue)]]]
        case .administrator(let scope): members["security"] = [["apiKey": [.string(scope.rawValue)]]]
        case .session: members["security"] = [["deviceSession": []]]
        }
        return .object(members)
    }

    private var allParameters: [JSONTree] {
        switch caller {
        case .anybody, .backend, .administrator: parameters
        case .session, .provedDevice: parameters + [["$ref": "#/components/parameters/DPoP"]]
        }
    }

    private var responses: [String: JSONTree] {
        var responses = ["200": success]
        let byStatus = Dictionary(grouping: outcomes, by: \.status)
        for (status, outcomes) in byStatus { responses[String(status)] = refusal(status: status, outcomes) }
        return responses
    }

    private var success: JSONTree {
        var members: [String: JSONTree] = [
            "description": "Done.",
            "headers": .object(headers(["X-Request-Id", "Cache-Control"] + (nonce == .none ? [] : ["DPoP-Nonce"]))),
        ]
        if let answer {
            members["content"] = ["application/json": OpenAPIExample.mediaType(OpenAPISchema.reference(answer))]
        }
        return .object(members)
    }

    /// One kind of refusal.
    fileprivate struct Outcome {
        let status: Int
        let code: String
        let word: String
        let sentence: String
    }

    private var outcomes: [Outcome] {
        let refused = allRefusals.map { refusal in
            isOAuth
                ? Outcome(refusal.oauthError)
                : Outcome(
                    status: refusal.status.code, code: refusal.code.rawValue, word: "", sentence: refusal.sentence)
        }
        return refused + words.map { Outcome($0) }
    }

    private func refusal(status: Int, _ outcomes: [Outcome]) -> JSONTree {
        let codes = Set(outcomes.map(\.code)).sorted()
        var properties: [String: JSONTree] = ["code": ["enum": .array(codes.map(JSONTree.string))]]
        if isOAuth {
            properties["error"] = ["enum": .array(Set(outcomes.map(\.word)).sorted().map(JSONTree.string))]
        } else {
            properties["status"] = ["const": .integer(status)]
        }
        let schema = OpenAPISchema.reference(isOAuth ? "OAuthError" : "Problem").adding([
            "properties": .object(properties)
        ])
        var names = ["X-Request-Id", "Cache-Control"]
        if status == 401 { names.append("WWW-Authenticate") }
        if status == 429 || status == 503 { names.append("Retry-After") }
        // Limits refuse a request before any other step, so those answers have no nonce.
        if nonce == .always, status != 429, status != 503 { names.append("DPoP-Nonce") }
        return [
            "description": .string("Refused: " + codes.joined(separator: ", ") + "."),
            "headers": .object(headers(names)),
            "content": [
                isOAuth ? "application/json" : Problem.contentType: [
                    "schema": schema, "example": example(status: status, outcomes),
                ]
            ],
        ]
    }

    /// One of the refusals with `status`, the first in the order of their codes.
    private func example(status: Int, _ outcomes: [Outcome]) -> JSONTree {
        guard let first = outcomes.min(by: { $0.code < $1.code }) else { return [:] }
        return isOAuth
            ? [
                "error": .string(first.word), "code": .string(first.code),
                "error_description": .string(first.sentence),
            ]
            : [
                "type": .string("urn:nightlatch:problem:" + first.code), "title": .string(first.sentence),
                "status": .integer(status), "code": .string(first.code),
            ]
    }

    private func headers(_ names: [String]) -> [String: JSONTree] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) })
    }
}

extension OpenAPIOperation.Outcome {
    fileprivate init(_ error: OAuthError) {
        self.init(
            status: error.status.code, code: error.code.rawValue, word: error.error.rawValue,
            sentence: error.description ?? "")
    }
}

extension OpenAPIOperation.Body {
    fileprivate var object: JSONTree {
        let (type, schema) =
            switch self {
            case .json(let schema): ("application/json", schema)
            case .form(let schema): ("application/x-www-form-urlencoded", schema)
            }
        return ["required": true, "content": [type: OpenAPIExample.mediaType(OpenAPISchema.reference(schema))]]
    }
}
