import Crypto
import Nightlatch
import NightlatchPlatform
import NightlatchTesting

extension EnclaveModel {
    var biometry: BiometryCalls {
        BiometryCalls(
            state: { policy in
                state.withLock { state in
                    let hash = state.hashSalt.flatMap { salt in state.enrolment.map { [salt, UInt8($0)] } }
                    return BiometryState(
                        failure: state.unavailability(policy), sensor: state.sensor, enrolment: hash)
                }
            },
            makePrompt: { prompt() })
    }

    /// How the user was recognised.
    private enum Recognition: Sendable {
        case biometrics, passcode
    }

    private struct Context: Sendable {
        var settings = ContextSettings()
        var recognition: Recognition?
        var isInvalid = false
        var waiting: (@Sendable (AppleFailure?) -> Void)?
    }

    private func prompt() -> BiometryPrompt {
        let number = openContext()
        let context = Shared(Context())
        return BiometryPrompt(
            configure: { settings in context.withLock { $0.settings = settings } },
            evaluate: { policy, reason, reply in evaluate(policy, reason, in: context, reply) },
            sharedSecret: { representation, publicKey throws(AppleFailure) in
                if let failure = failure() { throw failure }
                let (settings, recognition, isInvalid) = context.withLock {
                    ($0.settings, $0.recognition, $0.isInvalid)
                }
                // Otherwise the context would prompt a second time, without a reason.
                guard settings.interactionNotAllowed else { throw AppleFailure(status: .parameter) }
                guard !isInvalid else { throw AppleFailure(localAuthentication: .invalidContext) }
                let key = try key(representation, releasedBy: recognition)
                do {
                    return try key.sharedSecretFromKeyAgreement(with: publicKey)
                } catch {
                    throw AppleFailure(token: .badParameter)
                }
            },
            invalidate: {
                set { $0.openContexts.remove(number) }
                let waiting = context.withLock { context in
                    defer { context.waiting = nil }
                    context.isInvalid = true
                    return context.waiting
                }
                waiting?(AppleFailure(localAuthentication: .appCancel))
            })
    }

    /// Returns the key if the recognition satisfies its access control.
    private func key(
        _ representation: [UInt8],
        releasedBy recognition: Recognition?
    ) throws(AppleFailure) -> P256.KeyAgreement.PrivateKey {
        let (known, enrolment, gone) = state.withLock { ($0.keys[representation], $0.enrolment, $0.goneKeyFailure) }
        guard case .agreement(let key, let control, let bound) = known else { throw gone }
        let asks = control.flags.contains(.biometryCurrentSet) || control.flags.contains(.userPresence)
        guard recognition != nil || !asks else { throw AppleFailure(localAuthentication: .notInteractive) }
        if control.flags.contains(.biometryCurrentSet) {
            guard bound == enrolment else { throw gone }
            guard recognition == .biometrics else { throw AppleFailure(localAuthentication: .notInteractive) }
        }
        return key
    }

    private func evaluate(
        _ policy: BiometryPolicy,
        _ reason: String,
        in context: Shared<Context>,
        _ reply: @escaping @Sendable (AppleFailure?) -> Void
    ) {
        let (settings, isInvalid) = context.withLock { ($0.settings, $0.isInvalid) }
        if reason.isEmpty || settings.localizedReason != reason {
            set { $0.faults.append("a prompt without a reason") }
        }
        if policy == .deviceOwnerAuthentication, settings.localizedFallbackTitle != nil {
            set { $0.faults.append("the app's own words on a button that leads to the passcode") }
        }
        let failure: AppleFailure? =
            isInvalid || settings.interactionNotAllowed
            ? AppleFailure(localAuthentication: isInvalid ? .invalidContext : .notInteractive)
            : state.withLock { $0.unavailability(policy) }
        if let failure { return reply(failure) }
        let act: Act = state.withLock { state in
            state.shown.append(Shown(policy: policy, reason: reason, settings: settings))
            return state.acts.isEmpty ? .isRecognised : state.acts.removeFirst()
        }
        perform(act, policy, in: context, reply)
    }

    private func perform(
        _ act: Act,
        _ policy: BiometryPolicy,
        in context: Shared<Context>,
        _ reply: @escaping @Sendable (AppleFailure?) -> Void
    ) {
        switch act {
        case .isRecognised:
            let isBiometric = get(\.biometricUnavailability) == nil
            if isBiometric { set { $0.mismatches = 0 } }
            context.withLock { $0.recognition = isBiometric ? .biometrics : .passcode }
            reply(nil)
        case .isNotRecognised:
            set { $0.mismatches += 1 }
            let failure = state.withLock { $0.unavailability(policy) }
            reply(failure ?? AppleFailure(localAuthentication: .authenticationFailed))
        case .cancels: reply(AppleFailure(localAuthentication: .userCancel))
        case .choosesFallback:
            guard policy == .deviceOwnerAuthentication else {
                return reply(AppleFailure(localAuthentication: .userFallback))
            }
            context.withLock { $0.recognition = .passcode }
            reply(nil)
        case .isInterrupted: reply(AppleFailure(localAuthentication: .systemCancel))
        case .waits:
            let isInvalid = context.withLock { context in
                context.waiting = reply
                return context.isInvalid
            }
            waiting.continuation.yield()
            // The prompt was removed while it appeared.
            if isInvalid { reply(AppleFailure(localAuthentication: .appCancel)) }
        }
    }
}
