import Nightlatch
import NightlatchWire

extension MemoryPinState {
    mutating func open(
        _ device: HardenedDevice,
        by key: KeyID,
        _ code: EnrolmentCode?
    ) -> Result<HardenedEpoch, PinHardenerError> {
        var row = devices[device.device] ?? Device()
        let isDeviceKey = key == deviceKeys[device.device]?.publicKey.thumbprint
        let needsCode = row.isCodeRequired
        let isGood = code.map { !usedCodes.contains($0) } ?? false
        if isDeviceKey {
            if needsCode {
                guard let code else { return .failure(.codeNeeded) }
                // The code that opened the candidate may open another one in its place.
                guard isGood || row.candidate?.code == code else {
                    return .failure(refusal(.enrolmentCodeRefused, of: row))
                }
                usedCodes.insert(code)
            }
        } else {
            guard key == row.knowledgeKey else { return .failure(refusal(.messageRefused, of: row)) }
            guard row.current != nil else { return .failure(.destroyed) }
            if let candidate = row.candidate, candidate.opener != key {
                return .failure(.candidateOpen(standing(of: row)))
            }
        }
        // The candidate needs a guess, so the count is cleared if the limit is reached. This allows no more guesses at
        // the current epoch, because its key is destroyed too.
        if isDeviceKey, needsCode, row.charged.count >= limit { row.destroy() }
        let point = [2] + (0..<48).map { _ in UInt8.random(in: 0...255) }
        guard let publicKey = PinPublicKey(bytes: point) else { return .failure(.notGenuine) }
        let epoch = Epoch(number: row.nextEpoch, publicKey: publicKey)
        row.candidate = Candidate(epoch: epoch, opener: key, code: isDeviceKey && needsCode ? code : nil)
        row.nextEpoch = row.nextEpoch.next
        devices[device.device] = row
        return .success(HardenedEpoch(device: device, epoch: epoch.number, publicKey: publicKey))
    }

    mutating func promote(
        _ candidate: HardenedEpoch,
        guess: HardenedGuess,
        knowledgeKey: KeyID,
        by opener: KeyID
    ) -> Result<PinWindow, PinHardenerError> {
        guard var row = devices[candidate.device.device] else { return .failure(withoutKeys(Device())) }
        let clearing = Clearing(guess: guess, epoch: candidate.epoch, signer: opener)
        if row.lastClearing == clearing, row.current?.number == candidate.epoch, row.knowledgeKey == knowledgeKey {
            return .success(guess.window.next)
        }
        guard let open = row.candidate else {
            return .failure(row.current == nil ? withoutKeys(row) : .epochPassed(standing(of: row)))
        }
        guard open.epoch.number == candidate.epoch else { return .failure(.epochPassed(standing(of: row))) }
        guard open.opener == opener, knowledgeKey != row.knowledgeKey else {
            return .failure(refusal(.messageRefused, of: row))
        }
        if let error = clear(&row, clearing, keeping: { $0.epoch == candidate.epoch }) { return .failure(error) }
        row.current = open.epoch
        row.candidate = nil
        row.knowledgeKey = knowledgeKey
        row.isCodeRequired = true
        devices[candidate.device.device] = row
        return .success(row.window)
    }

    mutating func abandon(
        _ candidate: PinEpoch,
        of device: HardenedDevice,
        by opener: KeyID
    ) -> Result<Void, PinHardenerError> {
        var row = devices[device.device] ?? Device()
        guard let open = row.candidate, open.epoch.number == candidate else {
            // An epoch that was opened before and is not current can never become current.
            let isGone = candidate < row.nextEpoch && row.current?.number != candidate
            return isGone ? .success(()) : .failure(.epochPassed(standing(of: row)))
        }
        guard open.opener == opener else { return .failure(refusal(.messageRefused, of: row)) }
        row.candidate = nil
        devices[device.device] = row
        return .success(())
    }
}
