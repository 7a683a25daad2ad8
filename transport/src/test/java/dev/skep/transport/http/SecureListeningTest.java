package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.CertificateAuthorities;
import dev.skep.transport.client.HttpApiClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecureListeningTest {
    @TempDir Path folder;

    @Test
    void tls_is_served_from_pem_files_and_a_renewed_certificate_is_used() throws Exception {
        ListenerConfig.TlsFiles files = certificate("first");
        try (var server = new TestListener(config(files))) {
            HttpResponse<String> reply = get(server.listener.url());
            assertThat(reply.body()).isEqualTo("ok\n");
            assertThat(reply.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThat(subject(reply)).isEqualTo("CN=first");

            certificate("second");
            Files.setLastModifiedTime(
                    files.certificate(), FileTime.from(Instant.parse("2030-01-01T00:00:00Z")));
            server.listener.reloadCertificate();
            assertThat(subject(get(server.listener.url()))).isEqualTo("CN=second");

            Files.writeString(files.key(), "not a key");
            server.listener.reloadCertificate();
            assertThat(subject(get(server.listener.url()))).isEqualTo("CN=second");
        }
    }

    @Test
    void this_machine_has_a_plain_door_of_its_own() throws Exception {
        try (var server = new TestListener(config(certificate("first")))) {
            assertThat(server.listener.localUrl()).startsWith("http://127.0.0.1:");
            assertThat(get(server.listener.localUrl()).body()).isEqualTo("ok\n");
        }
        try (var server = new TestListener(ListenerConfig.loopback(0))) {
            assertThat(server.listener.localUrl()).isEqualTo(server.listener.url());
        }
    }

    @Test
    void a_key_in_another_form_is_refused_with_the_command_that_mends_it() throws Exception {
        ListenerConfig.TlsFiles files = certificate("first");
        Files.writeString(
                files.key(),
                "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
        assertThatThrownBy(() -> new TestListener(config(files)))
                .hasMessageContaining("openssl pkcs8");
    }

    @Test
    void an_authority_of_ones_own_is_trusted_once_it_is_named() throws Exception {
        ListenerConfig.TlsFiles files = certificate("first");
        try (var server = new TestListener(config(files))) {
            try (HttpClient client = HttpApiClient.newClient();
                    ApiClient api =
                            new HttpApiClient(client, server.listener.url(), Optional.empty())) {
                assertThatThrownBy(() -> api.get("/api/echo"))
                        .hasMessageContaining("TLS failed")
                        .hasMessageContaining("--tls-trust FILE");
            }
            try (HttpClient client =
                    HttpClient.newBuilder()
                            .sslContext(CertificateAuthorities.with(files.certificate()))
                            .build()) {
                assertThat(get(client, server.listener.url()).body()).isEqualTo("ok\n");
            }
        }
        assertThatThrownBy(() -> CertificateAuthorities.with(files.key()))
                .hasMessageContaining("holds no certificates in PEM");
        assertThatThrownBy(() -> CertificateAuthorities.with(folder.resolve("none.pem")))
                .hasMessageContaining("cannot read");
    }

    @Test
    void a_client_that_asks_for_tls_where_there_is_none_gets_no_advice_to_trust_a_certificate()
            throws Exception {
        try (var server = new TestListener(ListenerConfig.loopback(0));
                HttpClient client = HttpApiClient.newClient();
                ApiClient api =
                        new HttpApiClient(
                                client,
                                server.listener.url().replace("http:", "https:"),
                                Optional.empty())) {
            assertThatThrownBy(() -> api.get("/api/echo"))
                    .hasMessageContaining("TLS failed")
                    .hasMessageContaining("check the address")
                    .hasMessageNotContaining("--tls-trust");
        }
    }

    private static ListenerConfig config(ListenerConfig.TlsFiles files) {
        return new ListenerConfig(
                "127.0.0.1", 0, Optional.of(files), false, Set.of(), Set.of(), RequestLimits.USUAL);
    }

    private ListenerConfig.TlsFiles certificate(String name) throws Exception {
        return Certificates.selfSigned(folder, name);
    }

    private static HttpResponse<String> get(String url) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(Certificates.trusting()).build()) {
            return get(client, url);
        }
    }

    private static HttpResponse<String> get(HttpClient client, String url) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + "/healthz")).build(),
                BodyHandlers.ofString());
    }

    private static String subject(HttpResponse<String> reply) throws Exception {
        X509Certificate certificate =
                (X509Certificate) reply.sslSession().orElseThrow().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }
}
