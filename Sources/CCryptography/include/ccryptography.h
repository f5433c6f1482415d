// Digests, keyed codes, signatures and random bytes. Functions that return an int return 1 if they have succeeded.
#ifndef CCRYPTOGRAPHY_H
#define CCRYPTOGRAPHY_H

#include <stddef.h>
#include <stdint.h>

// A digest that is being made; of the kinds that are named here.
typedef struct kanmon_digest kanmon_digest;
typedef enum { kanmon_sha256, kanmon_md5 } kanmon_digest_kind;

kanmon_digest *_Nullable kanmon_digest_new(kanmon_digest_kind kind);
kanmon_digest *_Nullable kanmon_digest_copy(const kanmon_digest *_Nonnull digest);
int kanmon_digest_update(kanmon_digest *_Nonnull digest, const void *_Nullable bytes, size_t count);
// Writes 32 bytes of SHA-256, or 16 of MD5.
int kanmon_digest_end(kanmon_digest *_Nonnull digest, uint8_t *_Nonnull result);
void kanmon_digest_free(kanmon_digest *_Nonnull digest);

// HMAC with SHA-256: 32 bytes.
int kanmon_hmac_sha256(const uint8_t *_Nonnull key, size_t key_count, const uint8_t *_Nonnull message,
                       size_t message_count, uint8_t *_Nonnull result);

int kanmon_random(uint8_t *_Nonnull bytes, size_t count);

// Ed25519: keys of 32 bytes, signatures of 64.
int kanmon_ed25519_public(const uint8_t *_Nonnull key, uint8_t *_Nonnull result);
int kanmon_ed25519_sign(const uint8_t *_Nonnull key, const uint8_t *_Nonnull message, size_t count,
                        uint8_t *_Nonnull result);
int kanmon_ed25519_verify(const uint8_t *_Nonnull public_key, const uint8_t *_Nonnull signature,
                          const uint8_t *_Nonnull message, size_t count);

#endif
