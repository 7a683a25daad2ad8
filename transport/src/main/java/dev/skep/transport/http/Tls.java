package dev.skep.transport.http;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listener's certificate; a renewed one is used for new connections without a restart. */
final class Tls implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);
    private static final Duration LOOK = Duration.ofSeconds(10);

    private final ListenerConfig.TlsFiles files;
    private final String password;
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private final PeriodicTask watch =
            new PeriodicTask("certificate-watch", LOOK, this::reloadIfChanged);
    private List<FileTime> loaded;

    Tls(ListenerConfig.TlsFiles files, SecureRandom random) {
        this.files = files;
        // Java's key stores want one; this one never leaves the process.
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        this.password = HexFormat.of().formatHex(bytes);
        this.loaded = modified();
        load(factory);
    }

    private void load(SslContextFactory.Server target) {
        target.setKeyStore(PemKeys.load(files, password.toCharArray()));
        target.setKeyStorePassword(password);
        target.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        // Clients name what they ask for in the Host header, which the listener checks itself.
        target.setSniRequired(false);
    }

    SslContextFactory.Server factory() {
        return factory;
    }

    @Override
    public void start() {
        watch.start();
    }

    @Override
    public void close() {
        watch.close();
    }

    /** Uses changed files; bad ones are logged and the old certificate stays. */
    synchronized void reloadIfChanged() {
        List<FileTime> now = modified();
        if (now.equals(loaded)) {
            return;
        }
        loaded = now;
        try {
            factory.reload(ignored -> load(factory));
            LOG.info("certificate reloaded file={}", files.certificate());
        } catch (SkepException e) {
            LOG.warn("certificate not reloaded, the old one stays: {}", e.getMessage());
        } catch (Exception e) {
            LOG.warn("certificate not reloaded, the old one stays", e);
        }
    }

    private List<FileTime> modified() {
        try {
            return List.of(
                    Files.getLastModifiedTime(files.certificate()),
                    Files.getLastModifiedTime(files.key()));
        } catch (IOException e) {
            return List.of();
        }
    }
}
