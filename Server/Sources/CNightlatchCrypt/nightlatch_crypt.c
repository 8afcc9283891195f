// crypt_r, explicit_bzero
#define _GNU_SOURCE

#include "nightlatch_crypt.h"

#if defined(__linux__)

#include <crypt.h>
#include <stdlib.h>
#include <string.h>

// The version, the cost and the salt: `$2b$12$` and 22 characters.
enum { setting_length = 29, hash_length = 31 };

enum nightlatch_bcrypt_outcome nightlatch_bcrypt(const char *password, const char *setting, char hash[31]) {
    // 32 KiB, which is too much for the stack of a small thread.
    struct crypt_data *data = calloc(1, sizeof *data);
    if (!data) return NIGHTLATCH_BCRYPT_NO_MEMORY;
    const char *result = crypt_r(password, setting, data);
    // A library without bcrypt returns nothing, or a text that begins with an asterisk.
    int is_hash = result && strncmp(result, "$2", 2) == 0 && strlen(result) == setting_length + hash_length;
    if (is_hash) memcpy(hash, result + setting_length, hash_length);
    explicit_bzero(data, sizeof *data);
    free(data);
    return is_hash ? NIGHTLATCH_BCRYPT_DONE : NIGHTLATCH_BCRYPT_UNSUPPORTED;
}

#else

enum nightlatch_bcrypt_outcome nightlatch_bcrypt(const char *password, const char *setting, char hash[31]) {
    (void)password, (void)setting, (void)hash;
    return NIGHTLATCH_BCRYPT_UNSUPPORTED;
}

#endif
