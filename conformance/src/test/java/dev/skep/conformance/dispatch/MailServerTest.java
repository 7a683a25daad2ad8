package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.skep.dispatch.mailserver.Email;
import dev.skep.dispatch.outgoing.AddressGuard;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.dispatch.outgoing.Smtp;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** E-mail as a real mail server takes it, by TLS from the first byte and by STARTTLS. */
class MailServerTest {
    private static final String WORD = "the-word";
    private static final Optional<Smtp.Login> LOGIN = Optional.of(new Smtp.Login("skep", WORD));

    @TempDir static Path folder;
    private SSLContext tls;
    private GreenMail server;

    @BeforeEach
    void open() throws Exception {
        Path keys = folder.resolve("keys.p12");
        if (!keys.toFile().exists()) {
            makeKeys(keys);
        }
        KeyStore store = KeyStore.getInstance(keys.toFile(), "changeit".toCharArray());
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        KeyManagerFactory own =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, "changeit".toCharArray());
        tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        System.setProperty("greenmail.tls.keystore.file", keys.toString());
        System.setProperty("greenmail.tls.keystore.password", "changeit");
        server =
                new GreenMail(
                        new ServerSetup[] {
                            ServerSetup.SMTPS.dynamicPort().setVerbose(false),
                            ServerSetup.SMTP.dynamicPort().setVerbose(false)
                        });
        server.setUser("lena@example.org", "lena", "x");
        server.setUser("skep@example.org", "skep", WORD);
        server.getManagers().getUserManager().setAuthRequired(true);
        server.start();
    }

    @AfterEach
    void close() {
        server.stop();
        System.clearProperty("greenmail.tls.keystore.file");
        System.clearProperty("greenmail.tls.keystore.password");
    }

    private static void makeKeys(Path keys) throws Exception {
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
                                "CN=mail",
                                "-ext",
                                "SAN=IP:127.0.0.1",
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                keys.toString(),
                                "-storepass",
                                "changeit")
                        .redirectErrorStream(true)
                        .start();
        assertThat(keytool.waitFor()).isZero();
    }

    private Smtp smtp(SSLSocketFactory trust) {
        return new Smtp(new PinnedSocket(new AddressGuard(true), trust));
    }

    private Smtp.Server at(int port, Smtp.Security security, Optional<Smtp.Login> login) {
        return new Smtp.Server("127.0.0.1", port, security, login);
    }

    private static String message() {
        return new Email(
                        "01ABC",
                        "skep@example.org",
                        "lena@example.org",
                        "Skep: 10 Freigaben warten · größer als ein Wort der Kopfzeile\r\nBcc: x@y.z",
                        "mia asks: git push\n.\n..dots – und Umlaute: äöü\nhttps://hub/approvals/01",
                        Instant.parse("2027-01-01T00:00:00Z"))
                .source();
    }

    @Test
    void a_message_arrives_whole_by_tls_from_the_first_byte() throws Exception {
        Smtp.Reply reply =
                smtp(tls.getSocketFactory())
                        .send(
                                at(server.getSmtps().getPort(), Smtp.Security.TLS, LOGIN),
                                "skep@example.org",
                                "lena@example.org",
                                message());
        assertThat(reply.code()).isEqualTo(250);
        arrived();
    }

    @Test
    void a_message_arrives_whole_by_starttls() throws Exception {
        try (StartTlsFront front = new StartTlsFront(tls, server.getSmtp().getPort(), true)) {
            Smtp.Reply reply =
                    smtp(tls.getSocketFactory())
                            .send(
                                    at(front.port(), Smtp.Security.STARTTLS, LOGIN),
                                    "skep@example.org",
                                    "lena@example.org",
                                    message());
            assertThat(reply.code()).isEqualTo(250);
            assertThat(front.saidInTheOpen()).doesNotContain("AUTH").doesNotContain("MAIL");
        }
        arrived();
    }

    private void arrived() throws Exception {
        MimeMessage[] all = server.getReceivedMessages();
        assertThat(all).hasSize(1);
        MimeMessage got = all[0];
        assertThat(got.getSubject())
                .isEqualTo(
                        "Skep: 10 Freigaben warten · größer als ein Wort der Kopfzeile  Bcc: x@y.z");
        assertThat(got.getHeader("Bcc")).isNull();
        assertThat(got.getMessageID()).isEqualTo("<01ABC@example.org>");
        assertThat(((String) got.getContent()).replace("\r\n", "\n"))
                .contains(
                        "mia asks: git push\n.\n..dots – und Umlaute: äöü\nhttps://hub/approvals/01");
    }

    @Test
    void nothing_is_said_to_a_server_that_does_not_offer_starttls() throws Exception {
        try (StartTlsFront front = new StartTlsFront(tls, server.getSmtp().getPort(), false)) {
            Smtp.Reply reply =
                    smtp(tls.getSocketFactory())
                            .send(
                                    at(front.port(), Smtp.Security.STARTTLS, LOGIN),
                                    "skep@example.org",
                                    "lena@example.org",
                                    message());
            assertThat(reply.text()).contains("does not offer STARTTLS");
            assertThat(front.saidInTheOpen()).doesNotContain("AUTH").doesNotContain("MAIL");
        }
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void a_server_without_a_believed_certificate_gets_nothing() {
        assertThatThrownBy(
                        () ->
                                smtp((SSLSocketFactory) SSLSocketFactory.getDefault())
                                        .send(
                                                at(
                                                        server.getSmtps().getPort(),
                                                        Smtp.Security.TLS,
                                                        LOGIN),
                                                "skep@example.org",
                                                "lena@example.org",
                                                message()))
                .isInstanceOf(SSLException.class);
        // Believed, and for another name.
        assertThatThrownBy(
                        () ->
                                smtp(tls.getSocketFactory())
                                        .send(
                                                new Smtp.Server(
                                                        "localhost",
                                                        server.getSmtps().getPort(),
                                                        Smtp.Security.TLS,
                                                        LOGIN),
                                                "skep@example.org",
                                                "lena@example.org",
                                                message()))
                .isInstanceOf(IOException.class);
        assertThat(server.getReceivedMessages()).isEmpty();
    }

    @Test
    void a_wrong_password_is_refused_in_the_servers_words() throws Exception {
        Smtp.Reply reply =
                smtp(tls.getSocketFactory())
                        .send(
                                at(
                                        server.getSmtps().getPort(),
                                        Smtp.Security.TLS,
                                        Optional.of(new Smtp.Login("skep", "wrong"))),
                                "skep@example.org",
                                "lena@example.org",
                                message());
        assertThat(reply.code()).isEqualTo(535);
        assertThat(reply.isFinal()).isTrue();
        assertThat(server.getReceivedMessages()).isEmpty();
    }
}
