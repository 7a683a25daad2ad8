package dev.skep.dispatch.outgoing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Dials a name at the very address that was checked for it, and speaks TLS with it by its name. The
 * JDK's clients resolve names themselves, so that the answer could differ from the checked one.
 */
public final class PinnedSocket {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int READ_MILLIS = 10_000;

    private final AddressGuard guard;
    private final SSLSocketFactory trust;

    public PinnedSocket(AddressGuard guard) {
        this(guard, (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    /**
     * Likewise.
     *
     * @param trust whose certificates are believed
     */
    public PinnedSocket(AddressGuard guard, SSLSocketFactory trust) {
        this.guard = guard;
        this.trust = trust;
    }

    /** The name leads to an address that may not be connected to. */
    public static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }
    }

    /** A connection without TLS yet; the caller closes it. */
    Socket open(String host, int port) throws IOException {
        Optional<InetAddress> address = guard.resolve(host);
        if (address.isEmpty()) {
            throw new Refused(host + " is a private address; allow private webhooks to use it");
        }
        Socket plain = new Socket();
        try {
            plain.setSoTimeout(READ_MILLIS);
            plain.connect(new InetSocketAddress(address.get(), port), CONNECT_MILLIS);
            return plain;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    /** TLS over it, with a certificate for the name; closing it closes both. */
    SSLSocket secured(Socket plain, String host, int port) throws IOException {
        SSLSocket tls = (SSLSocket) trust.createSocket(plain, host, port, true);
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return tls;
    }
}
