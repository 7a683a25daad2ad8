package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a certificate chain and a PKCS#8 key from PEM files, as certbot and openssl write them. */
final class PemKeys {
    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "Ed25519");

    private PemKeys() {}

    /** A store that holds the key and its chain, in memory only. */
    static KeyStore load(ListenerConfig.TlsFiles files, char[] password) {
        try {
            byte[] chain = Files.readAllBytes(files.certificate());
            Certificate[] certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(chain))
                            .toArray(new Certificate[0]);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, password);
            store.setKeyEntry("skep", key(files.key()), password, certificates);
            return store;
        } catch (IOException e) {
            throw unusable("cannot read %s or %s", files, e);
        } catch (GeneralSecurityException e) {
            throw unusable("%s is not a certificate chain in PEM, or %s not its key", files, e);
        }
    }

    private static PrivateKey key(Path file) throws IOException {
        Matcher pem = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (pem.find()) {
            byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
            for (String algorithm : ALGORITHMS) {
                try {
                    return KeyFactory.getInstance(algorithm)
                            .generatePrivate(new PKCS8EncodedKeySpec(bytes));
                } catch (GeneralSecurityException e) {
                    // a key of another kind
                }
            }
        }
        throw new SkepException(
                ErrorCode.BAD_CONFIGURATION,
                "%s has no unencrypted PKCS#8 key; make one with: openssl pkcs8 -topk8 -nocrypt -in %s"
                        .formatted(file, file));
    }

    private static SkepException unusable(
            String what, ListenerConfig.TlsFiles files, Exception cause) {
        return new SkepException(
                ErrorCode.BAD_CONFIGURATION,
                (what + "; check both files").formatted(files.certificate(), files.key()),
                cause);
    }
}
