package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Certificates for tests, and whoever believes in them. */
public final class Certificates {
    private Certificates() {}

    /** A self-signed certificate, by the JDK's own tool. */
    public static ListenerConfig.TlsFiles selfSigned(Path folder, String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "a",
                                "-dname",
                                "CN=" + name,
                                "-ext",
                                "SAN=IP:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                "changeit")
                        .redirectErrorStream(true)
                        .start();
        assertThat(keytool.waitFor())
                .as(new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
        Certificate certificate = keys.getCertificate("a");
        PrivateKey key = (PrivateKey) keys.getKey("a", "changeit".toCharArray());
        ListenerConfig.TlsFiles files =
                new ListenerConfig.TlsFiles(folder.resolve("cert.pem"), folder.resolve("key.pem"));
        pem(files.certificate(), "CERTIFICATE", certificate.getEncoded());
        pem(files.key(), "PRIVATE KEY", key.getEncoded());
        return files;
    }

    private static void pem(Path file, String what, byte[] bytes) throws IOException {
        Files.writeString(
                file,
                "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what));
    }

    /** Trusts every certificate. */
    public static SSLContext trusting() throws GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new TrustsAll()}, null);
        return trusting;
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
