package dev.skep.supervisor.routes;

import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the pages' files from the jar. Files stand under a folder named by their content, so a
 * browser may keep them for ever; every other path is the one page, which reads the path itself.
 */
public final class WebFiles implements Consumer<JavalinConfig> {
    /** No inline script or style, nothing from elsewhere, no way to make markup from text. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
                    + " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html";

    private static final String ASSETS = "/assets/";

    private @Nullable WebBundle bundle;

    @Override
    public void accept(JavalinConfig javalin) {
        javalin.routes.get(ASSETS + "*", this::file);
        javalin.routes.get("/*", this::page);
    }

    /** Read when the first browser comes: a start does not wait for it. */
    private synchronized WebBundle bundle() {
        if (bundle == null) {
            bundle = WebBundle.load();
        }
        return bundle;
    }

    private void file(Context context) throws IOException {
        WebBundle files = bundle();
        String path = context.path();
        // A file of another version would confuse the old page that asks for it.
        Optional<WebBundle.File> found =
                path.startsWith(files.folder())
                        ? files.file(path.substring(files.folder().length()))
                        : Optional.empty();
        if (found.isEmpty()) {
            context.status(404).contentType("text/plain").result("there is no such file");
            return;
        }
        send(context, found.get(), "public, max-age=31536000, immutable");
    }

    private void page(Context context) throws IOException {
        context.header("Content-Security-Policy", POLICY);
        send(context, bundle().page(), "no-cache");
    }

    private static void send(Context context, WebBundle.File file, String caching)
            throws IOException {
        context.contentType(file.type());
        context.header("Cache-Control", caching);
        String accepted = context.header("Accept-Encoding");
        boolean zipped = accepted != null && accepted.contains("gzip") && file.isSmallerZipped();
        if (zipped) {
            context.header("Content-Encoding", "gzip");
        }
        context.header("Vary", "Accept-Encoding");
        byte[] bytes = zipped ? file.zipped() : file.bytes();
        context.res().setContentLength(bytes.length);
        context.res().getOutputStream().write(bytes);
    }
}
