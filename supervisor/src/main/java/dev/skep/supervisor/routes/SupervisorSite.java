package dev.skep.supervisor.routes;

import dev.skep.transport.http.WebPages;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The supervisor's pages. Their files are read when the first browser comes. Thread-safe. */
public final class SupervisorSite implements WebPages.Site {
    /** No inline script or style, nothing from elsewhere, no way to make markup from text. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types lit-html";

    private @Nullable WebBundle bundle;

    private synchronized WebBundle bundle() {
        if (bundle == null) {
            bundle = WebBundle.load();
        }
        return bundle;
    }

    @Override
    public String root() {
        return WebBundle.ROOT;
    }

    /** Only of this version: an old page that asks for its own files must not get others. */
    @Override
    public Optional<WebPages.File> file(String path) {
        String version = bundle().version() + "/";
        return path.startsWith(version)
                ? bundle().file(path.substring(version.length()))
                : Optional.empty();
    }

    @Override
    public WebPages.File page() {
        return bundle().page();
    }

    @Override
    public String policy() {
        return POLICY;
    }
}
