#ifndef NIGHTLATCH_CRYPT_H
#define NIGHTLATCH_CRYPT_H

/// The outcome of `nightlatch_bcrypt`.
enum nightlatch_bcrypt_outcome {
    NIGHTLATCH_BCRYPT_DONE = 0,
    /// This system has no bcrypt. On Linux it is in libxcrypt; macOS has none.
    NIGHTLATCH_BCRYPT_UNSUPPORTED = 1,
    /// There was too little memory.
    NIGHTLATCH_BCRYPT_NO_MEMORY = 2
};

/// Hashes a password with bcrypt, and wipes the library's copy of it. The caller's copies stay.
///
/// @param password The password, ended by a zero byte. Only the first 72 bytes count.
/// @param setting The version, the cost and the salt, such as `$2b$12$` and 22 characters, ended by a zero byte.
/// @param hash Receives the 31 characters of the hash, without a zero byte, if the outcome is
///     `NIGHTLATCH_BCRYPT_DONE`.
/// @return The outcome.
enum nightlatch_bcrypt_outcome nightlatch_bcrypt(const char *password, const char *setting, char hash[31]);

#endif
