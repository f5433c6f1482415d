#include "ccryptography.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

static kanmon_digest *digest(EVP_MD_CTX *context) { return (kanmon_digest *)context; }
static EVP_MD_CTX *context_of(const kanmon_digest *digest) { return (EVP_MD_CTX *)digest; }

kanmon_digest *kanmon_digest_new(kanmon_digest_kind kind) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context && EVP_DigestInit_ex(context, kind == kanmon_md5 ? EVP_md5() : EVP_sha256(), NULL) == 1)
        return digest(context);
    EVP_MD_CTX_free(context);
    return NULL;
}

kanmon_digest *kanmon_digest_copy(const kanmon_digest *original) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context && EVP_MD_CTX_copy_ex(context, context_of(original)) == 1) return digest(context);
    EVP_MD_CTX_free(context);
    return NULL;
}

int kanmon_digest_update(kanmon_digest *digest, const void *bytes, size_t count) {
    return count == 0 || EVP_DigestUpdate(context_of(digest), bytes, count) == 1;
}

int kanmon_digest_end(kanmon_digest *digest, uint8_t *result) {
    return EVP_DigestFinal_ex(context_of(digest), result, NULL) == 1;
}

void kanmon_digest_free(kanmon_digest *digest) { EVP_MD_CTX_free(context_of(digest)); }

int kanmon_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count,
                       uint8_t *result) {
    if (key_count > INT_MAX) return 0;
    return HMAC(EVP_sha256(), key, (int)key_count, message, message_count, result, NULL) != NULL;
}

int kanmon_random(uint8_t *bytes, size_t count) { return count <= INT_MAX && RAND_bytes(bytes, (int)count) == 1; }

int kanmon_ed25519_public(const uint8_t *key, uint8_t *result) {
    EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key, 32);
    size_t count = 32;
    int done = pair && EVP_PKEY_get_raw_public_key(pair, result, &count) == 1 && count == 32;
    EVP_PKEY_free(pair);
    return done;
}

int kanmon_ed25519_sign(const uint8_t *key, const uint8_t *message, size_t count, uint8_t *result) {
    EVP_PKEY *pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, key, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t length = 64;
    int done = pair && context && EVP_DigestSignInit(context, NULL, NULL, NULL, pair) == 1 &&
               EVP_DigestSign(context, result, &length, message, count) == 1 && length == 64;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(pair);
    return done;
}

int kanmon_ed25519_verify(const uint8_t *public_key, const uint8_t *signature, const uint8_t *message, size_t count) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, public_key, 32);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    int valid = key && context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
                EVP_DigestVerify(context, signature, 64, message, count) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return valid;
}
