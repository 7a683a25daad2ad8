package dev.skep.directory.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider that answers what a test wants, also what no honest one would. */
final class FakeProvider implements AutoCloseable {
    final RSAKey key;
    final AtomicInteger keyFetches = new AtomicInteger();
    final Map<String, Object> metadata = new HashMap<>();
    volatile String idToken = "";
    private final HttpServer server;

    FakeProvider() throws IOException, JOSEException {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        metadata.put("issuer", issuer());
        metadata.put("authorization_endpoint", issuer() + "/authorize");
        metadata.put("token_endpoint", issuer() + "/token");
        metadata.put("jwks_uri", issuer() + "/keys");
        serve("/.well-known/openid-configuration", () -> Json.text(metadata));
        serve("/token", () -> Json.text(Map.of("id_token", idToken)));
        serve(
                "/keys",
                () -> {
                    keyFetches.incrementAndGet();
                    return new JWKSet(key.toPublicJWK()).toString();
                });
        server.start();
    }

    private interface Answer {
        String text();
    }

    private void serve(String path, Answer answer) {
        server.createContext(path, exchange -> answer(exchange, answer.text()));
    }

    private static void answer(HttpExchange exchange, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    static String signed(JWTClaimsSet claims, JWSAlgorithm algorithm, String keyId, JWSSigner by)
            throws JOSEException {
        SignedJWT jwt =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims);
        jwt.sign(by);
        return jwt.serialize();
    }

    String signed(JWTClaimsSet claims) throws JOSEException {
        return signed(claims, JWSAlgorithm.RS256, "one", new RSASSASigner(key));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
