package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;

/**
 * Serves a site of files and one page. Files are named by their content and may be kept for ever;
 * every other path that no route answers is the page, which reads the path itself.
 */
public final class WebPages implements Mount {
    private final Site site;

    /** What is served. Thread-safe. */
    public interface Site {
        /** Where the files stand, as {@code /assets/}. */
        String root();

        /** The file at a path below the root. */
        Optional<File> file(String path);

        File page();

        /** What the page's Content-Security-Policy says. */
        String policy();
    }

    /** A file with its compressed form. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record File(String type, byte[] bytes, byte[] zipped) {
        boolean isSmallerZipped() {
            return zipped.length < bytes.length;
        }
    }

    public WebPages(Site site) {
        this.site = site;
    }

    @Override
    public void accept(JavalinConfig javalin) {
        javalin.routes.get(site.root() + "*", this::file);
        javalin.routes.get("/*", this::page);
    }

    private void file(Context context) throws IOException {
        Optional<File> found = site.file(context.path().substring(site.root().length()));
        if (found.isEmpty()) {
            throw new SkepException(ErrorCode.NOT_FOUND, "there is no such file");
        }
        send(context, found.get(), "public, max-age=31536000, immutable");
    }

    private void page(Context context) throws IOException {
        context.header("Content-Security-Policy", site.policy());
        send(context, site.page(), "no-cache");
    }

    private static void send(Context context, File file, String caching) throws IOException {
        context.contentType(file.type());
        context.header("Cache-Control", caching);
        context.header("Vary", "Accept-Encoding");
        String accepted = context.header("Accept-Encoding");
        boolean zipped = accepted != null && accepted.contains("gzip") && file.isSmallerZipped();
        if (zipped) {
            context.header("Content-Encoding", "gzip");
        }
        byte[] bytes = zipped ? file.zipped() : file.bytes();
        context.res().setContentLength(bytes.length);
        context.res().getOutputStream().write(bytes);
    }
}
