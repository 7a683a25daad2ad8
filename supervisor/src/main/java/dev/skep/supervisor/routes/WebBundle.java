package dev.skep.supervisor.routes;

import dev.skep.transport.http.WebPages.File;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** All files of the pages, in memory: a few hundred kilobytes that are read once. */
final class WebBundle {
    static final String ROOT = "/assets/";
    private static final String OURS = "/dev/skep/supervisor/web/";
    private static final String LIT = "/META-INF/resources/_static/lit-html/3.3.3/";
    private static final List<String> LIT_FILES =
            List.of(
                    "lit-html.js",
                    "directive.js",
                    "directive-helpers.js",
                    "directives/repeat.js",
                    "directives/live.js");

    /** All modules and all style sheets, each in one file, as the page loads them. */
    private static final String PAGES = "app.js";

    private static final String STYLES = "style/app.css";

    /** The one module that stays apart, since it imports from elsewhere. */
    private static final String LIT_MODULE = "core/lit.js";

    private static final List<String> STYLE_SHEETS =
            List.of("tokens", "base", "shell", "table", "pages", "notifications");

    private static final Map<String, String> TYPES =
            Map.of(
                    "js", "text/javascript; charset=utf-8",
                    "css", "text/css; charset=utf-8",
                    "html", "text/html; charset=utf-8",
                    "svg", "image/svg+xml",
                    "txt", "text/plain; charset=utf-8",
                    "woff2", "font/woff2");

    private final Map<String, File> files;
    private final String version;
    private final File page;

    private WebBundle(Map<String, File> files, String version, File page) {
        this.files = files;
        this.version = version;
        this.page = page;
    }

    static WebBundle load() {
        Map<String, File> files = new TreeMap<>();
        for (String name : read(OURS + "files.txt").lines().toList()) {
            files.put(name, file(name, bytes(OURS + name)));
        }
        for (String name : LIT_FILES) {
            files.put("lit-html/" + name, file(name, bytes(LIT + name)));
        }
        var linked = ModuleBundler.from("main.js", LIT_MODULE, name -> read(OURS + name));
        files.put(LIT_MODULE, file(LIT_MODULE, bytes(OURS + LIT_MODULE)));
        for (String name : linked.modules()) {
            files.put(name, file(name, bytes(OURS + name)));
        }
        files.put(PAGES, file(PAGES, linked.text().getBytes(StandardCharsets.UTF_8)));
        files.put(STYLES, linkedStyles());
        String version = hash(files);
        String index = read(OURS + "index.html").replace(ROOT, ROOT + version + "/");
        return new WebBundle(
                files, version, file("index.html", index.getBytes(StandardCharsets.UTF_8)));
    }

    private static File linkedStyles() {
        String text =
                STYLE_SHEETS.stream()
                        .map(name -> read(OURS + "style/" + name + ".css"))
                        .collect(Collectors.joining("\n"));
        return file(STYLES, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Names the content of all files together. */
    String version() {
        return version;
    }

    Optional<File> file(String name) {
        return Optional.ofNullable(files.get(name));
    }

    File page() {
        return page;
    }

    private static File file(String name, byte[] bytes) {
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalStateException(name + " has an unknown file type");
        }
        return new File(type, bytes, zipped(bytes));
    }

    private static String read(String path) {
        return new String(bytes(path), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String path) {
        try (InputStream in = WebBundle.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] zipped(byte[] bytes) {
        var out = new ByteArrayOutputStream(bytes.length);
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String hash(Map<String, File> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach(
                    (name, file) -> {
                        digest.update(name.getBytes(StandardCharsets.UTF_8));
                        digest.update(file.bytes());
                    });
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
