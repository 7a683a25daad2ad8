package dev.skep.directory.host;

import dev.skep.directory.secret.SigningKey;

/** One version of a host's key pair. */
public record HostKey(int version, SigningKey pair) {
    public String publicKey() {
        return pair.open().toString();
    }

    public byte[] sign(byte[] message) {
        return pair.sign(message);
    }
}
