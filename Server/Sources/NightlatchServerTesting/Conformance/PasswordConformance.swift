import NightlatchRelyingParty
import NightlatchWire
import Testing

/// The rules about passwords that every store keeps.
package enum PasswordConformance {
    package static let requirements: [StoreRequirement] =
        [
            StoreRequirement(
                "Five wrong passwords are tried at once, then one after each wait, and the waits grow"
            ) { store in
                let alice = try Fixture.alice()
                try await store.setPassword(password(), of: alice)
                for _ in 1...5 { #expect(try await store.chargePasswordAttempt(of: alice) == password()) }
                var passed: Duration = .zero
                for seconds in [30, 60, 120, 240, 480, 960, 1920, 3600, 3600] {
                    passed += .seconds(seconds)
                    try await TestTime.after(passed - .seconds(1)) {
                        let early = try await store.chargePasswordAttempt(of: alice)
                        #expect(early == nil, "\(seconds)")
                    }
                    try await TestTime.after(passed) {
                        let due = try await store.chargePasswordAttempt(of: alice)
                        #expect(due == password(), "\(seconds)")
                        let second = try await store.chargePasswordAttempt(of: alice)
                        #expect(second == nil, "\(seconds)")
                    }
                }
            },

            StoreRequirement(
                "After a clock that was a month ahead is corrected, the wait has the length for the number of failures"
            ) { store in
                let alice = try Fixture.alice()
                try await store.setPassword(password(), of: alice)
                try await TestTime.after(.seconds(30 * 24 * 3600)) {
                    for _ in 1...6 { _ = try await store.chargePasswordAttempt(of: alice) }
                }
                // No attempt is accepted early, and attempts during a wait do not extend it.
                let wait = [(0, false), (10, false), (29, false), (30, true), (31, false), (90, true)]
                for (seconds, isTried) in wait {
                    let charged = try await TestTime.after(.seconds(seconds)) {
                        try await store.chargePasswordAttempt(of: alice)
                    }
                    #expect(charged == (isTried ? password() : nil), "\(seconds)")
                }
            },

            StoreRequirement("After a hundred wrong passwords no password is tried until another is set") { store in
                let alice = try Fixture.alice()
                try await store.setPassword(password(), of: alice)
                var tried = 0
                for hour in 0..<120 {
                    try await TestTime.after(.seconds(3600 * hour)) {
                        while try await store.chargePasswordAttempt(of: alice) != nil { tried += 1 }
                    }
                }
                #expect(tried == 100)
                try await store.setPassword(password(2), of: alice)
                #expect(try await store.chargePasswordAttempt(of: alice) == password(2))
            },

            StoreRequirement("Of 200 attempts at once, five are tried") { store in
                let alice = try Fixture.alice()
                try await store.setPassword(password(), of: alice)
                let charged = try await inParallel(200) { try await store.chargePasswordAttempt(of: alice) }
                #expect(charged.compactMap(\.self).count == 5)
            },

            StoreRequirement(
                "A right password resets the count and may be hashed again, unless another one was set at the same time"
            ) { store in
                let (alice, raised) = (try Fixture.alice(), password(3, passes: 2))
                try await store.setPassword(password(), of: alice)
                for _ in 1...5 { _ = try await store.chargePasswordAttempt(of: alice) }
                #expect(try await store.acceptPassword(password(2), raisedTo: raised, of: alice) == false)
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)
                #expect(try await store.acceptPassword(password(), raisedTo: nil, of: alice))
                #expect(try await store.chargePasswordAttempt(of: alice) == password())
                try await store.acceptPassword(password(), raisedTo: raised, of: alice)
                for _ in 1...5 { #expect(try await store.chargePasswordAttempt(of: alice) == raised) }
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)
            },

            StoreRequirement("A charge that is taken back counts no longer, unless another password was set") { store in
                let alice = try Fixture.alice()
                try await store.setPassword(password(), of: alice)
                try await store.takeBackPasswordAttempt(password(), of: alice)
                for _ in 1...5 { #expect(try await store.chargePasswordAttempt(of: alice) == password()) }
                try await store.takeBackPasswordAttempt(password(2), of: alice)
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)
                // The wait, which the fifth charge has begun, ends too.
                try await store.takeBackPasswordAttempt(password(), of: alice)
                #expect(try await store.chargePasswordAttempt(of: alice) == password())
                #expect(try await store.chargePasswordAttempt(of: alice) == nil)
            },

            StoreRequirement(
                "Setting another password invalidates unused codes, and no code is made for the old password"
            ) { store in
                let (alice, used, unused) = (try Fixture.alice(), TestDevice(), TestDevice())
                try await store.setPassword(password(), of: alice)
                let usedCode = try await store.newCode(for: alice)
                let device = try await store.bind(used.binding(user: alice, code: usedCode), consuming: Fixture.use())
                func code(_ password: StoredPassword) -> NewEnrolmentCode {
                    NewEnrolmentCode(
                        mac: Fixture.hash(), user: alice, actor: .user, life: .seconds(600), password: password)
                }
                let old = code(password())
                #expect(try await store.createEnrolmentCode(old) != nil)
                #expect(try await store.user(enrolledBy: old.mac, deviceKey: unused.key.id) == alice)
                let ofBob = try await store.newCode(for: Fixture.bob())

                try await store.setPassword(password(2), of: alice)
                #expect(try await store.user(enrolledBy: old.mac, deviceKey: unused.key.id) == nil)
                #expect(try await store.createEnrolmentCode(code(password())) == nil)
                #expect(try await store.createEnrolmentCode(code(password(2))) != nil)
                // The device stays bound. A repeated binding of its key with the used code still finds the user.
                #expect(try await store.user(enrolledBy: usedCode, deviceKey: used.key.id) == alice)
                #expect(device == .bound(try #require(try await store.devices(of: alice).first?.id)))
                #expect(try await store.user(enrolledBy: ofBob, deviceKey: unused.key.id) == Fixture.bob())
            },

            StoreRequirement("Attempts of a user without a password are refused") { store in
                try await store.setPassword(password(), of: try Fixture.bob())
                for _ in 1...10 { #expect(try await store.chargePasswordAttempt(of: try Fixture.alice()) == nil) }
                try await store.acceptPassword(password(), raisedTo: nil, of: try Fixture.alice())
                #expect(try await store.chargePasswordAttempt(of: try Fixture.alice()) == nil)
            },
        ] + (0..<10).map(codeRace)

    private static func codeRace(_ round: Int) -> StoreRequirement {
        StoreRequirement(
            "If a code for the old password is made while another password is set, no usable code is left: \(round)"
        ) { store in
            let (alice, mac): (UserID, EnrolmentCodeMAC) = (try Fixture.alice(), Fixture.hash())
            try await store.setPassword(password(), of: alice)
            let code = NewEnrolmentCode(
                mac: mac, user: alice, actor: .user, life: .seconds(600), password: password())
            async let made = store.createEnrolmentCode(code)
            async let set: Void = store.setPassword(password(2), of: alice)
            _ = try await (made, set)
            #expect(try await store.user(enrolledBy: mac, deviceKey: TestDevice().key.id) == nil)
        }
    }

    private static func password(_ byte: UInt8 = 1, passes: Int = 1) -> StoredPassword {
        StoredPassword(
            hash: .init(repeating: byte, count: 32), salt: .init(repeating: byte, count: 16), memoryKibibytes: 8,
            passes: passes, lanes: 1)
    }
}
