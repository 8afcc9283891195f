import NightlatchWire

extension DeviceSigningVerifierNode {
    /// Verifies a message against the keys of `user` that may have signed it.
    func verify(
        _ message: JourneyMessage,
        of user: UserID,
        by devices: [JourneyDevice],
        _ visit: inout JourneyVisit
    ) -> JourneyNodeStep {
        let surroundings = visit.surroundings
        let isAuthenticated = visit.state.user != nil
        do throws(JourneyRefusal) {
            guard let challenge = visit.state.challenge else { throw .noChallenge }
            let signed = try surroundings.verifier.verify(message, by: devices)
            visit.request.isSigned = true
            guard !visit.facts.isMessageUsed else { throw .messageUsed }
            let timeout = Duration.seconds(prompt.timeoutSeconds)
            if let use = signed.use(timeout: timeout, now: surroundings.now) { visit.request.messages.append(use) }
            let claims = try signed.claims(
                expecting: prompt.expectation(of: surroundings.realm.universalID(of: user), challenge: challenge),
                now: surroundings.now)
            accept(claims, by: signed.device, of: user, &visit)
            return .outcome("success")
        } catch .unknownKey where isAuthenticated {
            guard let all = visit.facts.devices[user] else { return .need(.devices(of: user)) }
            return all.isEmpty ? .outcome("noDeviceRegistered", .noDevice) : .outcome("keyNotFound", .unknownKey)
        } catch {
            return refuse(error, &visit)
        }
    }

    private func accept(
        _ claims: JourneyClaims,
        by device: JourneyDevice,
        of user: UserID,
        _ visit: inout JourneyVisit
    ) {
        visit.state.user = user
        // A signature over a random challenge identifies the user from now on. A signature over a text does not, so the
        // session must stay valid.
        if case .random = challengeSource { visit.state.session = nil }
        visit.state.username = user.rawValue
        visit.state.signingKey = device.id
        visit.state.signed = JourneySigned(
            challenge: claims.challenge, claims: claims.customText, at: visit.surroundings.now)
        visit.state.attributes[JourneyState.Attribute.signingFailure] = nil
        visit.state.attributes[JourneyState.Attribute.signingProtection] = device.protection?.rawValue
        visit.state.signedDescriptions = claims.descriptionsText
        visit.request.signings.append(
            JourneySigning(key: device.id, user: user, claims: claims.customText))
    }

    /// Refuses a message with the outcome `failure`, and records the reason in the state.
    func refuse(_ refusal: JourneyRefusal, _ visit: inout JourneyVisit) -> JourneyNodeStep {
        let reason =
            switch refusal {
            case .wrongIssuer, .wrongSubject, .wrongChallenge, .expired, .lifeTooLong, .notYetValid, .tooManyClaims,
                .messageUsed:
                "INVALID_CLAIM"
            default: "INVALID_SIGNATURE"
            }
        visit.state.attributes[JourneyState.Attribute.signingFailure] = reason
        return .outcome("failure", refusal)
    }

    /// Fails the journey, or continues with `failure` if the node captures failures.
    func fail(
        _ refusal: JourneyRefusal,
        as reason: String,
        _ visit: inout JourneyVisit
    ) -> JourneyNodeStep {
        guard capturesFailure else { return .fail(refusal) }
        visit.state.attributes[JourneyState.Attribute.signingFailure] = reason
        return .outcome("failure", refusal)
    }
}
