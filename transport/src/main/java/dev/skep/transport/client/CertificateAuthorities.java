package dev.skep.transport.client;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Certificate authorities of one's own, trusted besides those that Java trusts. */
public final class CertificateAuthorities {
    private CertificateAuthorities() {}

    /** Everything this process reaches from now on may be vouched for by those of a PEM file. */
    public static void trustToo(Path file) {
        SSLContext.setDefault(with(file));
    }

    /** For callers that choose a TLS context themselves. */
    public static SSLContext with(Path file) {
        try {
            byte[] pem = Files.readAllBytes(file);
            List<Certificate> trusted =
                    new ArrayList<>(
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificates(new ByteArrayInputStream(pem)));
            if (trusted.isEmpty()) {
                throw new CertificateException("there is none");
            }
            trusted.addAll(usual());
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < trusted.size(); i++) {
                store.setCertificateEntry(Integer.toString(i), trusted.get(i));
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, managers(store), null);
            return context;
        } catch (IOException e) {
            throw unusable("cannot read %s, which is to be trusted".formatted(file), e);
        } catch (GeneralSecurityException e) {
            throw unusable("%s holds no certificates in PEM".formatted(file), e);
        }
    }

    private static List<Certificate> usual() throws GeneralSecurityException {
        for (TrustManager manager : managers(null)) {
            if (manager instanceof X509TrustManager certificates) {
                return List.of(certificates.getAcceptedIssuers());
            }
        }
        return List.of();
    }

    private static TrustManager[] managers(@Nullable KeyStore store)
            throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    /** What to do about a failed TLS connection. */
    public static String refused(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String fix =
                cause instanceof CertPathBuilderException
                        ? "a certificate from an authority of your own is trusted with --tls-trust FILE (SKEP_TLS_TRUST)"
                        : "check the address, and the certificate there";
        return "TLS failed: %s; %s".formatted(cause.getMessage(), fix);
    }

    private static SkepException unusable(String why, Exception e) {
        return new SkepException(ErrorCode.BAD_CONFIGURATION, why, e);
    }
}
