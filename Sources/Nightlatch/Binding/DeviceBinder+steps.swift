import NightlatchWire

extension DeviceBinder {
    /// Returns the pending binding, or a new one, and its keys. A new binding is stored before its keys are created.
    func prepare(
        _ vault: OpenVault,
        code: EnrolmentCode
    ) async throws(BindingError) -> (PendingBinding, BindingKeys) {
        var retries = ConflictRetries()
        // Ends: each further round is a conflict, and `retries` bounds those.
        while true {
            let start: BindingStart
            do {
                start = try await vault.beginBinding(with: code, at: relyingParty.issuer)
            } catch {
                throw .vault(error)
            }
            switch consume start {
            case .bound(let binding):
                throw .alreadyBound(binding)
            case .leaving(let tags):
                do {
                    try await vault.finishLeaving(tags, keys: keys)
                } catch {
                    throw BindingError(error)
                }
                do {
                    try await retries.again()
                } catch {
                    throw .vault(.store(error))
                }
            case .pending(let pending, let password):
                return (pending, try await prepareKeys(pending.keys, password: password, in: vault))
            }
        }
    }

    private func prepareKeys(
        _ tags: BindingKeyTags,
        password: borrowing SecretBytes,
        in vault: OpenVault
    ) async throws(BindingError) -> BindingKeys {
        let pair: BindingKeys
        do {
            pair = try await .findOrCreate(tags, password: password, in: keys)
        } catch {
            throw .key(error)
        }
        // A call that removes a binding first stores that it does so, and then removes the keys. So either these keys
        // were created before that removal, or this check finds the binding removed.
        let isHeld: Bool
        do {
            isHeld = try await vault.holdsBinding(tags)
        } catch {
            throw .vault(error)
        }
        if isHeld { return pair }
        do {
            try await keys.remove(tags)
        } catch {
            throw .key(error)
        }
        throw .superseded
    }

    func runCeremony(
        _ tags: BindingKeyTags,
        _ pair: BindingKeys,
        in vault: OpenVault,
        code: EnrolmentCode,
        deviceName: DeviceName,
        user: UserID? = nil
    ) async throws(BindingError) -> BindingResult {
        let begun: BindingChallenge
        do {
            begun = try await relyingParty.beginBinding(
                BindingRequest(enrolmentCode: code, deviceKey: pair.deviceKey.publicKey.thumbprint))
        } catch {
            throw .relyingParty(error)
        }
        if let user, begun.user != user { throw .codeOfAnotherUser(begun.user) }
        // With the stored challenge, a caller that removes the binding later can ask the relying party whether it has
        // bound the keys.
        let isUnderWay: Bool
        do {
            isUnderWay = try await vault.noteChallenge(begun, of: tags)
        } catch {
            throw .vault(error)
        }
        guard isUnderWay else { throw .superseded }
        let claims = BindingClaims(
            issuer: clientID, subject: begun.user, audience: relyingParty.issuer, issuedAt: begun.issuedAt,
            expiresAt: begun.issuedAt + MessageLife.ofAssertions, challenge: begun.challenge,
            possessionKey: pair.possessionKey.publicKey.thumbprint, deviceName: deviceName)
        let message: String
        do {
            message = try await pair.deviceKey.sign(claims, carryingKey: true)
        } catch {
            throw .key(error)
        }
        do {
            return try await relyingParty.finishBinding(
                BindingAnswer(handle: begun.handle, message: message, policyRevision: .first))
        } catch {
            throw .relyingParty(error)
        }
    }

    /// Removes a pending binding if the relying party's refusal is final.
    func settle(
        _ refusal: RelyingPartyRefusal,
        of pending: PendingBinding,
        in vault: OpenVault
    ) async throws(BindingError) {
        guard refusal.isDecision else { return }
        let hasLeft: Bool
        do {
            // A key that was revoked, or bound to another user, can never be used here, whichever call has used it.
            hasLeft =
                switch refusal.code {
                case let code where code.endsBinding: try await vault.leaveBinding(pending.keys, isRevoked: true)
                case .deviceKeyTaken: try await vault.leaveBinding(pending.keys, isRevoked: false)
                // An earlier call, which got no answer, has bound the keys. They can be used again once the device is
                // unblocked.
                case .deviceBlocked: false
                default: try await vault.leaveUnlessShared(pending)
                }
        } catch {
            throw .vault(error)
        }
        guard hasLeft else { return }
        do {
            try await vault.finishLeaving(pending.keys, keys: keys)
        } catch {
            throw BindingError(error)
        }
    }

    /// Keeps the policy that the relying party has delivered with a binding, if it has.
    ///
    /// The binding is valid without it. If the policy is not kept, the next login asks for it again, and reports why it
    /// is not kept then (``Session/policy``).
    func keepPolicy(of result: BindingResult, for binding: DeviceBinding, in vault: OpenVault) async {
        guard let text = result.policy else { return }
        do {
            _ = try await vault.keepPolicy(text, of: binding, at: clientID)
        } catch {
            return
        }
    }
}
