import Foundation
import NightlatchJourney

/// Answers a journey's steps until the journey ends, as apps do.
func finish(_ first: any Node, device: (any Callback) async -> String) async -> [String] {
    var lines: [String] = []
    var node: any Node = first
    while true {
        switch node {
        case let continueNode as ContinueNode:
            for callback in continueNode.callbacks {
                switch callback {
                case let nameCallback as NameCallback:
                    print(nameCallback.prompt)
                    nameCallback.name = "demo"
                case let passwordCallback as PasswordCallback:
                    print(passwordCallback.prompt)
                    passwordCallback.password = "a password"
                case is DeviceBindingCallback, is DeviceSigningVerifierCallback:
                    lines.append(await device(callback))
                default:
                    break
                }
            }
            node = await continueNode.next()
        case let errorNode as ErrorNode:
            print(errorNode.input)
            return lines + [errorNode.message]
        case let failureNode as FailureNode:
            return lines + [failureNode.cause.localizedDescription]
        case let successNode as SuccessNode:
            print(successNode.input)
            return lines + [successNode.session.value]
        default:
            return lines
        }
    }
}

func makeJourney(_ environment: DeviceBindingEnvironment, _ server: ProgramServer) -> Journey {
    Journey.createJourney { config in
        config.serverUrl = "https://openam.example.com/am"
        config.realm = "alpha"
        config.cookie = "386c0d288bac4b9"
        config.logger = myCustomLogger
        config.transport = server
        config.deviceBinding = environment
    }
}

func start(_ journey: Journey, _ name: String) async -> any Node {
    await journey.start(name) { options in
        options.forceAuth = false
        options.noSession = false
    }
}
