#if os(Linux) || os(macOS)
import Foundation
import Nightlatch
import NightlatchJourney
import NightlatchPlatform
import Testing

/// A user who goes through the trees of the server in Python.
enum PingWalk {
    /// The last node of a tree, and the stages of its pages.
    struct End {
        let node: any Node
        let stages: [String?]
    }

    static func journey(_ phone: JourneyPhone) throws -> Journey {
        let server = try PingServer.shared.get()
        let environment = phone.environment(now: { Date() })
        return Journey.createJourney { config in
            config.serverUrl = server.url
            config.realm = "alpha"
            config.transport = URLSessionTransport()
            config.deviceBinding = environment
        }
    }

    /// Answers every page as `user`, and each device callback as `answer` says.
    static func run(
        _ tree: String,
        as user: String,
        in journey: Journey,
        noSession: Bool = false,
        forceAuth: Bool = false,
        device answer: (any Callback) async -> Void = sign
    ) async -> End {
        var stages: [String?] = []
        var node = await journey.start(tree) { options in
            options.noSession = noSession
            options.forceAuth = forceAuth
        }
        while let step = node as? ContinueNode {
            stages.append(step.stage)
            #expect(step.header == "Night Bank" && step.description == "Please answer")
            await fill(step, as: user, device: answer)
            node = await step.next()
        }
        return End(node: node, stages: stages)
    }

    /// Fills in a page.
    static func fill(
        _ step: ContinueNode,
        as user: String,
        device answer: (any Callback) async -> Void = sign
    ) async {
        for callback in step.callbacks {
            switch callback {
            case let callback as NameCallback: callback.name = user
            case let callback as PasswordCallback: callback.password = "\(user)'s password"
            default: await answer(callback)
            }
        }
    }

    static func sign(_ callback: any Callback) async {
        switch callback {
        case let callback as DeviceBindingCallback: await callback.bind()
        case let callback as DeviceSigningVerifierCallback: await callback.sign()
        default: break
        }
    }

    static func isSuccess(_ node: any Node) -> Bool {
        if let error = node as? ErrorNode { Issue.record("\(error.status): \(error.message)") }
        if let failure = node as? FailureNode { Issue.record("\(failure.cause)") }
        return node is SuccessNode
    }
}
#endif
