package dev.skep.directory.host;

import dev.skep.directory.secret.Ed25519;
import java.security.PrivateKey;
import java.security.PublicKey;

/** One version of a host's key pair; printing it shows the version only. */
public record HostKey(int version, PrivateKey secret, PublicKey open) {
    public String publicKey() {
        return Ed25519.format(open);
    }

    public byte[] sign(byte[] message) {
        return Ed25519.sign(secret, message);
    }

    @Override
    public String toString() {
        return "key version " + version;
    }
}
