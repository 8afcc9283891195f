import Foundation
import Nightlatch
import NightlatchPlatform
import NightlatchTesting
import NightlatchTwoPartyPin
import NightlatchWire
import Testing

@Suite("A two-party PIN at the command line", .timeLimit(.minutes(10)))
struct TwoPartyCommandTests {
    private static let (old, new, wrong) = ("295038", "417296", "860527")

    @Test(
        """
        A vault registered with a two-party PIN needs the server from its first write, and the doctor says what it \
        cannot check
        """)
    func register() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--two-party", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            #expect(bound.output.hasSuffix("the PIN is a two-party PIN with \(server.url)\n"), "\(bound.output)")
            let told = try await Nightlatch.run("doctor", "--home", folder.home)
            for text in ["A thief of this disk needs \(server.url) for every PIN", "cannot tell whether a journal"] {
                #expect(told.output.contains(text), "\(told.output)")
            }
            let wrong = try await folder.device("unlock", pins: [Self.wrong])
            #expect(wrong.status == 1 && wrong.errors.contains("9 attempts left"), "\(wrong.errors)")
            let opened = try await folder.device("login", pins: [Self.old])
            #expect(opened.status == 0 && opened.errors.isEmpty, "\(opened.errors)")
            let again = try await folder.device(
                "bind", "--two-party", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(again.status == 0 && again.output.hasPrefix("bound to alice"), "\(again.errors)")
        }
    }

    @Test(
        """
        A registration with a two-party PIN that stops at any point is continued by the same command, and restarted by \
        a command with another code
        """)
    func cutOff() async throws {
        for (isSameCode, fault) in [(true, MemoryPinHardener.Fault.request), (true, .answer), (false, .answer)] {
            var point = 0
            var isWhole = false
            while !isWhole {
                let folder = try TemporaryFolder()
                let (isPassed, _) = try await ServerProcess.run(in: folder) { server in
                    let code = try await server.code()
                    let isPassed = try await cutOff(at: point, fault, in: folder, server, code)
                    let again = try await folder.device(
                        "bind", "--two-party", "--server", server.url, "--code",
                        isSameCode ? code : try await server.code(), pins: [Self.old])
                    #expect(again.status == 0, "\(point), \(fault): \(again.errors)")
                    #expect(
                        again.output.hasSuffix("the PIN is a two-party PIN with \(server.url)\n"), "\(again.output)")
                    let login = try await folder.device("login", pins: [Self.old])
                    #expect(login.status == 0 && login.errors.isEmpty, "\(point), \(fault): \(login.errors)")
                    return isPassed
                }
                isWhole = isPassed
                // After the promotion only the PIN opens the vault, whatever the code.
                if !isSameCode, point == 2 { isWhole = true }
                point += 1
            }
            #expect(point > 2)
        }
    }

    @Test("A registration that stopped is kept with its binding while no code can be tried")
    func cutOffAndWaiting() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let code = try await server.code()
            _ = try await cutOff(at: 1, .request, in: folder, server, code)
            let vault = Self.app(in: folder, with: HTTPRelyingParty(issuer: server.issuer))
            #expect(try await waits(vault, afterCodesLike: try await server.code()))
            let record = try Data(contentsOf: URL(fileURLWithPath: folder.vault))
            let again = try await folder.device(
                "bind", "--two-party", "--server", server.url, "--code", code, pins: [Self.old])
            #expect(again.status == 1 && again.errors.contains("not checked: wait"), "\(again.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.vault)) == record)
        }
    }

    /// Whether attempts with the wrong code `text` lead to a wait.
    private func waits(_ vault: Vault, afterCodesLike text: String) async throws -> Bool {
        let code = try #require(EnrolmentCode(text))
        for _ in 1...10 {
            do throws(UnlockError) {
                _ = try await vault.resumeForTwoPartyPin(with: code)
                return false
            } catch {
                switch error {
                case .refused(.waiting): return true
                case .refused(.wrong): continue
                default: throw error
                }
            }
        }
        return false
    }

    /// Does the command's steps and stops before the binding (0), after it (1), or at the failing request number
    /// `point` - 2.
    ///
    /// - Returns: Whether all steps were done.
    private func cutOff(
        at point: Int,
        _ fault: MemoryPinHardener.Fault,
        in folder: TemporaryFolder,
        _ server: ServerProcess,
        _ text: String
    ) async throws -> Bool {
        let (party, code) = (HTTPRelyingParty(issuer: server.issuer), try #require(EnrolmentCode(text)))
        let lost = InterceptedPinParty(party, losing: (max(0, point - 2), fault))
        let open = try await Self.app(in: folder, with: lost).createForTwoPartyPin(resumableWith: code)
        guard point > 0 else { return false }
        _ = try await DeviceBinder(relyingParty: party, keys: SoftwareDeviceKeys(folder: folder.home + "/keys"))
            .bind(open, code: code, deviceName: try #require(DeviceName(rawValue: "Phone")))
        guard point > 1 else { return false }
        do {
            try await open.setTwoPartyPin(TwoPartyPhone.pin(Self.old))
            return true
        } catch {
            return false
        }
    }

    @Test("Moving to a two-party PIN asks for a new PIN and refuses the old one, which then opens nothing")
    func newPin() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            func move(to new: String) async throws -> Outcome {
                try await folder.device("pin", "two-party", "--new-pin-fd", "0", pins: [Self.old, new])
            }
            let same = try await move(to: Self.old)
            #expect(same.status == 1 && same.errors.contains("--keep-pin"), "\(same.errors)")
            let common = try await move(to: "123456")
            #expect(common.status == 1 && common.errors.contains("This PIN is not allowed"), "\(common.errors)")
            let local = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(local.output.contains("A thief of this disk needs only time"), "\(local.output)")

            let moved = try await move(to: Self.new)
            #expect(
                moved.output == "the PIN is a two-party PIN with \(server.url)\n" && moved.errors.isEmpty,
                "\(moved.errors)")
            let old = try await folder.device("unlock", pins: [Self.old])
            #expect(old.status == 1 && old.errors.contains("Wrong PIN: 9 attempts left"), "\(old.errors)")
            let login = try await folder.device("login", pins: [Self.new])
            #expect(login.status == 0, "\(login.errors)")
        }
    }

    @Test(
        """
        A PIN is moved to the server, reported by the doctor, attacked by a thief and changed, and opens nothing \
        without the server
        """)
    func story() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            let before = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(before.output.contains("A thief of this disk needs only time"), "\(before.output)")

            let refused = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.wrong])
            #expect(refused.status == 1 && refused.errors.contains("9 attempts left"), "\(refused.errors)")
            let moved = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.old])
            #expect(moved.output == "the PIN is a two-party PIN with \(server.url)\n", "\(moved.errors)")
            #expect(moved.errors.contains("can be searched for it"), "\(moved.errors)")
            let again = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.old])
            #expect(again.status == 1 && again.errors.contains("already"), "\(again.errors)")

            let after = try await Nightlatch.run("doctor", "--home", folder.home)
            for text in [
                "A thief of this disk needs \(server.url) for every PIN",
                "A thief of the server needs this device's files",
                "A thief of both needs only time", "where only the server counts attempts",
            ] { #expect(after.output.contains(text), "\(after.output)") }
            let cost = try await Nightlatch.run("attack-cost", "--home", folder.home)
            #expect(cost.output.contains("A thief of this disk needs \(server.url)"), "\(cost.output)")

            let stolen = folder.path + "/stolen"
            try FileManager.default.copyItem(atPath: folder.home, toPath: stolen)
            func thief(_ pin: String) async throws -> Outcome {
                try await Nightlatch.run(["unlock", "--home", stolen, "--pin-fd", "0"], pins: [pin])
            }
            #expect(try await thief(Self.wrong).status == 1)
            let warned = try await folder.device("unlock", pins: [Self.old])
            #expect(warned.status == 0 && warned.errors.contains("has tried 1 PIN"), "\(warned.errors)")
            // The right PIN, but too late.
            #expect(try await thief(Self.old).errors.contains("old copy"))
            let quiet = try await folder.device("login", pins: [Self.old])
            #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")

            let changed = try await folder.device("pin", "change", "--new-pin-fd", "0", pins: [Self.old, Self.new])
            #expect(changed.output == "PIN changed\n", "\(changed.errors)")
            let opened = try await folder.device("unlock", pins: [Self.new])
            #expect(opened.status == 0, "\(opened.errors)")
        }
        let offline = try await folder.device("unlock", pins: [Self.new])
        #expect(offline.status == 3 && offline.errors.contains("does not answer"), "\(offline.errors)")
        let state = try await Nightlatch.run("doctor", "--home", folder.home)
        #expect(state.output.contains("Locked; 10 attempts left."), "\(state.output)")
    }

    @Test(
        """
        The doctor and attack-cost report that a copy reveals the PIN of a local tier, and the next unlock drops that \
        tier
        """)
    func localTier() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            let app = Vault(
                store: FileStore(path: folder.vault), clock: SystemLockoutClock(),
                hardener: TwoPartyPin(
                    relyingParty: HTTPRelyingParty(issuer: server.issuer),
                    keys: SoftwareDeviceKeys(folder: folder.home + "/keys")),
                configuration: VaultConfiguration(
                    keyDerivation: .cheap, keyDerivationBounds: .forTests, offlinePin: .local))
            await (try app.unlock(with: TwoPartyPhone.pin(Self.old))).lock()
            for command in ["doctor", "attack-cost"] {
                let told = try await Nightlatch.run(command, "--home", folder.home)
                #expect(told.output.contains("A thief of this disk needs only time"), "\(told.output)")
                #expect(told.output.contains("this vault has a local tier"), "\(told.output)")
            }
            let opened = try await folder.device("unlock", pins: [Self.old])
            #expect(opened.status == 0, "\(opened.errors)")
            let after = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(after.output.contains("A thief of this disk needs \(server.url) for every PIN"), "\(after.output)")
        }
    }

    @Test(
        """
        After too many wrong PINs the command reports that the server's key was destroyed, and a new code registers \
        again
        """)
    func destruction() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder, options: ["--guess-limit", "2"]) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            let moved = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.old])
            #expect(moved.status == 0, "\(moved.errors)")
            let wrong = try await folder.device("unlock", pins: [Self.wrong])
            #expect(wrong.status == 1 && wrong.errors.contains("Wrong PIN"), "\(wrong.errors)")
            // The last guess.
            let last = try await folder.device("unlock", pins: [Self.wrong])
            #expect(last.status == 1 && last.errors.contains("`nightlatch bind --replace`"), "\(last.errors)")
            for command in [["unlock"], ["pin", "two-party", "--keep-pin"], ["login"]] {
                let right = try await Nightlatch.run(
                    command + ["--home", folder.home, "--pin-fd", "0"], pins: [Self.old])
                #expect(
                    right.status == 1 && right.errors.contains("`nightlatch bind --replace`"), "\(right.errors)")
            }
            let code = try await server.code()
            let kept = try await folder.device("bind", "--server", server.url, "--code", code, pins: [Self.new])
            #expect(kept.status == 1 && kept.errors.contains("--replace"), "\(kept.errors)")
            let anew = try await folder.device(
                "bind", "--replace", "--server", server.url, "--code", code, pins: [Self.new])
            #expect(anew.status == 0, "\(anew.errors)")
            let again = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.new])
            #expect(again.output == "the PIN is a two-party PIN with \(server.url)\n", "\(again.errors)")
            let login = try await folder.device("login", pins: [Self.new])
            #expect(login.status == 0, "\(login.errors)")
        }
    }

    @Test("A restored vault gets a two-party PIN again only with an enrolment code")
    func code() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let used = try await server.code()
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", used, pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            let before = try folder.vaultBytes()
            let moved = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.old])
            #expect(moved.status == 0, "\(moved.errors)")
            try before.write(to: URL(fileURLWithPath: folder.vault))

            let needed = try await folder.device("pin", "two-party", "--keep-pin", pins: [Self.old])
            #expect(
                needed.status == 1 && needed.errors.contains("run the command again with --code"), "\(needed.errors)")
            let none = try await folder.device("pin", "two-party", "--keep-pin", "--code", "none", pins: [Self.old])
            #expect(none.status == 2 && none.errors.contains("not an enrolment code"), "\(none.errors)")
            let refused = try await folder.device("pin", "two-party", "--keep-pin", "--code", used, pins: [Self.old])
            #expect(refused.status == 1 && refused.errors.contains("enrolment_code_refused"), "\(refused.errors)")
            let local = try await folder.device("unlock", pins: [Self.old])
            #expect(local.status == 0, "\(local.errors)")

            let code = try await server.code()
            let again = try await folder.device("pin", "two-party", "--keep-pin", "--code", code, pins: [Self.old])
            #expect(again.output == "the PIN is a two-party PIN with \(server.url)\n", "\(again.errors)")
            let opened = try await folder.device("unlock", pins: [Self.old])
            #expect(opened.status == 0 && opened.errors.isEmpty, "\(opened.errors)")
        }
    }

    @Test(
        """
        The doctor and attack-cost report what a thief of the disk, of the server and of both needs for each \
        protector: the PIN, a pending change, biometrics and the recovery phrase
        """)
    func protectors() async throws {
        let folder = try TemporaryFolder()
        try await ServerProcess.run(in: folder) { server in
            let bound = try await folder.device(
                "bind", "--server", server.url, "--code", try await server.code(), pins: [Self.old])
            #expect(bound.status == 0, "\(bound.errors)")
            let none = try await Nightlatch.run("doctor", "--home", folder.home)
            #expect(!none.output.contains(", by "), "\(none.output)")
            let party = HTTPRelyingParty(issuer: server.issuer)
            let app = Self.app(in: folder, with: party)
            let open = try await app.unlock(with: TwoPartyPhone.pin(Self.old))
            try await open.setUpBiometrics()
            try await open.setUpRecovery(.random())
            await open.lock()
            // The second change is promoted, which is its last request, and the app does not get the answer.
            let rehearsal = InterceptedPinParty(party)
            _ = try await Self.app(in: folder, with: rehearsal).changePin(
                from: TwoPartyPhone.pin(Self.old), to: TwoPartyPhone.pin(TwoPartyPhone.new))
            let deaf = await InterceptedPinParty(party, losing: (rehearsal.callCount - 1, .answer))
            _ = try? await Self.app(in: folder, with: deaf).changePin(
                from: TwoPartyPhone.pin(TwoPartyPhone.new), to: TwoPartyPhone.pin(Self.new))
            for command in ["doctor", "attack-cost"] {
                let told = try await Nightlatch.run(command, "--home", folder.home)
                for text in [
                    "A thief of this disk needs \(server.url) for every PIN",
                    "A thief of this disk, by the PIN change that is in progress, needs \(server.url) for every PIN",
                    "A thief of both, by the PIN change that is in progress, needs only time",
                    "A thief of this disk, by biometrics, needs the key that a face or a finger releases",
                    "A thief of the server, by biometrics, needs this device's files",
                    "A thief of both, by biometrics, needs the same as a thief of this disk",
                    "A thief of this disk, by the recovery phrase, needs the words",
                    "A thief of the server, by the recovery phrase, needs this device's files",
                    "A thief of both, by the recovery phrase, needs the same as a thief of this disk",
                ] { #expect(told.output.contains(text), "\(told.output)") }
            }
            let opened = try await folder.device("unlock", pins: [Self.new])
            #expect(opened.status == 0, "\(opened.errors)")
            let after = try await Nightlatch.run("attack-cost", "--home", folder.home)
            #expect(!after.output.contains("in progress") && after.output.contains("by biometrics"), "\(after.output)")
        }
    }

    /// Returns an app with the same vault and keys as the command.
    private static func app(in folder: TemporaryFolder, with party: any PinRelyingParty) -> Vault {
        Vault(
            store: FileStore(path: folder.vault), clock: SystemLockoutClock(), biometrics: ScriptedBiometrics(),
            hardener: TwoPartyPin(relyingParty: party, keys: SoftwareDeviceKeys(folder: folder.home + "/keys")),
            configuration: VaultConfiguration(
                keyDerivation: .pbkdf2(iterations: 600_000), keyDerivationBounds: .forTests))
    }
}
