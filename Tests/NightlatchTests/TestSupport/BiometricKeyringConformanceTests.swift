import Crypto
import Nightlatch
import NightlatchTesting
import Testing

@Suite("Conformance checks of biometric keyrings")
struct BiometricKeyringConformanceTests {
    @Test("The scripted keyring passes every conformance check", arguments: BiometricKeyringConformance.allCases)
    func scripted(promise: BiometricKeyringConformance) async throws {
        let keyring = ScriptedBiometrics()
        try await promise.check { keyring }
    }

    enum Defect: CaseIterable {
        case isNeverAvailable, opensNothing, opensWithAnyKey, ignoresTheInfo, keepsTheOldKey,
            takesAnAbsentKeyForADamagedBox
        case neverRemoves, removesBoth, refusesToRemoveNothing, isAnotherPlaceForEachOwner
    }

    @Test("A keyring with a defect fails at least one check", arguments: Defect.allCases)
    func defect(defect: Defect) async {
        var broken: [BiometricKeyringConformance] = []
        for promise in BiometricKeyringConformance.allCases {
            let base = ScriptedBiometrics()
            do {
                try await promise.check {
                    let own = defect == .isAnotherPlaceForEachOwner ? ScriptedBiometrics() : base
                    return DefectiveKeyring(defect: defect, base: own)
                }
            } catch {
                broken.append(promise)
            }
        }
        #expect(!broken.isEmpty)
    }

    private struct DefectiveKeyring: BiometricKeyring {
        let defect: Defect
        let base: ScriptedBiometrics

        func availability() async -> BiometricAvailability {
            defect == .isNeverAvailable ? .notEnrolled : await base.availability()
        }

        func create(_ key: BiometricKeyID) async throws(BiometricError) -> P256.KeyAgreement.PublicKey {
            let publicKey = try await base.create(key)
            if defect == .keepsTheOldKey { _ = try await base.create(key) }
            return publicKey
        }

        func open(
            _ box: HPKEBox,
            with key: BiometricKeyID,
            info: [UInt8],
            reason: String
        ) async throws(BiometricError) -> SecretBytes {
            if defect == .opensNothing { throw .corrupt }
            let info = defect == .ignoresTheInfo ? Array("conformance".utf8) : info
            do {
                return try await base.open(box, with: key, info: info, reason: reason)
            } catch {
                switch defect {
                case .opensWithAnyKey where error == .corrupt:
                    let other: BiometricKeyID = key == .first ? .second : .first
                    return try await base.open(box, with: other, info: info, reason: reason)
                case .takesAnAbsentKeyForADamagedBox where error == .enrolmentChanged: throw .corrupt
                default: throw error
                }
            }
        }

        func remove(_ key: BiometricKeyID) async throws(BiometricError) {
            if defect == .neverRemoves { return }
            if defect == .refusesToRemoveNothing, !base.keys.contains(key) { throw .enrolmentChanged }
            try await base.remove(key)
            if defect == .removesBoth { try await base.remove(key == .first ? .second : .first) }
        }
    }
}
