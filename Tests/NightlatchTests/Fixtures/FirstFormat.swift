import Nightlatch
import NightlatchTesting

/// A stored record of the first format, with a secret, biometrics whose key is lost, a phrase and one wrong PIN.
enum FirstFormat {
    static let revision: UInt64 = 5
    static let record = """
        {"format":1,"ledger":{"charged_attempt":"eQY3shha9NWNy9_9jdizyA","clock_ms":3600000,"failures":1,"wait_ms":0\
        },"revision":5,"sealed":{"content":{"epoch":1,"generation":4,"items":{"wallet":"3MFMoypoJi-oD2fz2niCcnMIy0an\
        fYS0CPBq-kiuyU8"},"mac":"TFJfk4sgS_eWn98T7jyrC4kgePlClUYxbkTOE_56VqI","recipients":{"biometrics":{"key":"fir\
        st","public_key":"BDLa9eA7fHHPlWkyj-YpzHzlgFVKG_5gKrhC9GcurFG9eZjes-vsXaJMf69wmPWDIZ8ukpe1yphV0rYpGTrWst8"},\
        "recovery":"D1QLjF0-h_U3GU9dEaut-YRo_aaMjs_tOSp6y-lBvnI"}},"slots":{"biometrics":{"ciphertext":"z7UdpxmnUvQR\
        ba8ErXjAieMMiDwQNnwJwcAPIqYKAn29Bd3PWIuUwFRACs4Giel2","encapsulated_key":"BILjTbjlkzuDN74PWf0nCunpVaKOaeHS7x\
        22eenyTn8k_Xx-FX1jIKo5lPY5CqwcbKvyBx2zVbXRov_4iD8vvoU"},"pin":{"box":"mr4TEyU3z72LmZPdJH2cY9uhsRA_ItQ1ZYKJwG\
        1RVAi39GYSpuIXEwt_em-YztuRBeClfrqen20ZoQxc","key_derivation":{"algorithm":"pbkdf2-hmac-sha256","iterations":\
        1},"salt":"nMZNpdg9NaKUnvl7zx281cckT3BQ-7xci-y0RWPQnV4"},"recovery":{"ciphertext":"aRsVClI-KBzXcMo3_2J3So2c-\
        sUUAdTCp8jmMZO60cnP6mkjdzyyPXIcxUM7uYa9","encapsulated_key":"opl6ZsHZP8v2SQpZM021S_JXlRduseRi64-j1AW663g"}}}\
        ,"vault_id":"ECbo2zjYN21rh5UD0VTQnQ"}
        """

    static func store() -> MemoryStore {
        let store = MemoryStore()
        store.plant(StoredRecord(revision: revision, bytes: Array(record.utf8)))
        return store
    }
}
