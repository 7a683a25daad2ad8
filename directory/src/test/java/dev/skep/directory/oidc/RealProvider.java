package dev.skep.directory.oidc;

import dev.skep.transport.client.HttpApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** npm's {@code oidc-provider}, run by Node; skipped where {@code .ci/oidc} is not installed. */
final class RealProvider implements AutoCloseable {
    static final String HOW_TO_INSTALL =
            "no OpenID provider here: npm ci in .ci/oidc, and name its node_modules with"
                    + " -Dskep.oidc.packages";
    static final String SECRET = "the-client-secret-of-this-test";

    private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");

    private final Process process;
    private final PrintWriter in;
    private final BufferedReader out;
    private final String issuer;

    private RealProvider(Process process) throws IOException {
        this.process = process;
        this.in = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.issuer = String.valueOf(out.readLine());
    }

    static boolean isInstalled() {
        return folder().isPresent();
    }

    private static Optional<Path> folder() {
        return Optional.of(System.getProperty("skep.oidc.packages", ""))
                .filter(text -> !text.isEmpty())
                .map(Path::of)
                .filter(folder -> Files.isDirectory(folder.resolve("oidc-provider")));
    }

    /** One that sends people back to this address. */
    static RealProvider start(String redirect) throws IOException {
        Path packages = folder().orElseThrow();
        Path script = Path.of("src/test/resources/oidc-provider.mjs").toAbsolutePath();
        return new RealProvider(
                new ProcessBuilder(
                                packages.resolve(".bin/node").toString(),
                                script.toString(),
                                packages.toString(),
                                redirect)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start());
    }

    String issuer() {
        return issuer;
    }

    /** From now on it signs with another key. */
    void rotate() throws IOException {
        in.println("rotate");
        String line = out.readLine();
        while (line != null && !line.equals("rotated")) {
            line = out.readLine();
        }
    }

    void setGroups(String account, List<String> groups) throws Exception {
        try (HttpClient client = HttpApiClient.newClient()) {
            String path = "/set-groups/" + account + "/" + String.join(",", groups);
            client.send(
                    HttpRequest.newBuilder(URI.create(issuer + path)).build(),
                    BodyHandlers.discarding());
        }
    }

    /** Somebody logs in with a browser of their own; what the page gets in its query. */
    Map<String, String> logIn(String url, String account) throws Exception {
        try (HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
            URI at = URI.create(url);
            HttpResponse<String> page = get(browser, at);
            while (!page.headers().firstValue("Location").orElse("").contains("/sign-in?")) {
                Optional<String> next = page.headers().firstValue("Location");
                if (next.isPresent()) {
                    at = at.resolve(next.get());
                    page = get(browser, at);
                } else {
                    Matcher form = FORM.matcher(page.body());
                    if (!form.find()) {
                        throw new IOException("no form: " + page.statusCode() + page.body());
                    }
                    at = at.resolve(form.group(1));
                    page = post(browser, at, "prompt=login&password=x&login=" + encoded(account));
                }
            }
            String query = page.headers().firstValue("Location").orElse("").split("\\?", 2)[1];
            return dev.skep.transport.route.Request.of(
                            dev.skep.transport.route.HttpMethod.GET,
                            "/",
                            query,
                            dev.skep.transport.route.Credentials.none(""),
                            new byte[0])
                    .query();
        }
    }

    private static HttpResponse<String> get(HttpClient browser, URI url) throws Exception {
        return browser.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(HttpClient browser, URI url, String form)
            throws Exception {
        return browser.send(
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(form))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroy();
    }
}
