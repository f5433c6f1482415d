import Cryptography
import Testing

/// Published examples of each standard.
@Suite struct CryptographyTests {
    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `SHA-256 is that of FIPS 180-4, at once and in pieces`(text: String, digest: String) {
        #expect(SHA256.hash(text.utf8) == bytes(digest))
        var hash = SHA256()
        for byte in text.utf8 { hash.update([byte]) }
        #expect(hash.finalize() == bytes(digest))
    }

    @Test func `a copy of a digest goes its own way, and a digest that was asked for goes on`() {
        var hash = SHA256()
        hash.update("a".utf8)
        var other = hash
        other.update("x".utf8)
        #expect(hash.finalize() == SHA256.hash("a".utf8))
        hash.update("bc".utf8)
        #expect(hash.finalize() == SHA256.hash("abc".utf8))
        #expect(other.finalize() == SHA256.hash("ax".utf8))
    }

    @Test func `MD5 is that of RFC 1321`() {
        #expect(Array("abc".utf8).withUnsafeBytes { MD5.hash($0) } == bytes("900150983cd24fb0d6963f7d28e17f72"))
        #expect(MD5.hash(UnsafeRawBufferPointer(start: nil, count: 0)) == bytes("d41d8cd98f00b204e9800998ecf8427e"))
    }

    @Test func `HMAC is that of RFC 4231`() {
        #expect(
            MessageCode.of("what do ya want for nothing?".utf8, key: Array("Jefe".utf8))
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    }

    @Test func `a signature is that of RFC 8032, and of nothing else`() throws {
        let key = try #require(
            SigningKey(bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")))
        let half = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        #expect(key.publicBytes == half)
        #expect(key.signature(of: [0x72]) == signature)
        #expect(SigningKey.verifies(signature, of: [0x72], publicBytes: half))
        #expect(!SigningKey.verifies(signature, of: [0x73], publicBytes: half))
        #expect(!SigningKey.verifies(signature.reversed(), of: [0x72], publicBytes: half))
        #expect(!SigningKey.verifies(signature.dropLast(), of: [0x72], publicBytes: half))
        #expect(!SigningKey.verifies(signature, of: [0x72], publicBytes: half.dropLast()))
        #expect(!SigningKey.verifies(signature, of: [0x72], publicBytes: SigningKey().publicBytes))
        #expect(SigningKey(half.dropLast())?.bytes == nil)
    }

    @Test func `random bytes are many and not the same twice`() {
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}
