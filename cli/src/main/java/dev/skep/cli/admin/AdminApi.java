package dev.skep.cli.admin;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.HttpMethod;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Optional;

/** The routes of a data dir, whether or not its process runs. */
public final class AdminApi implements ApiClient {
    private final ApiClient api;
    private final String publicUrl;
    private final AutoCloseable under;

    /** Routes that are open until {@code under} is closed. */
    public AdminApi(ApiClient api, String publicUrl, AutoCloseable under) {
        this.api = api;
        this.publicUrl = publicUrl;
        this.under = under;
    }

    /** Opens the databases of a data dir whose process does not run. */
    @FunctionalInterface
    public interface Stopped {
        /**
         * The routes on the stored data.
         *
         * @param wanted which database a data dir without any gets
         */
        AdminApi open(Configuration configuration, HostKind wanted);
    }

    /**
     * Opens the way in.
     *
     * @param wanted which database a data dir without any gets
     */
    public static AdminApi open(Configuration configuration, HostKind wanted, Stopped stopped) {
        DataDir.refuseFile(configuration.dataDir());
        return AdminFile.read(configuration.dataDir())
                .flatMap(AdminApi::running)
                .orElseGet(() -> stopped.open(configuration, wanted));
    }

    /** Empty if there is no answer: the process was killed and could not remove its file. */
    private static Optional<AdminApi> running(AdminFile.Address address) {
        HttpClient client = HttpApiClient.newClient();
        ApiClient api = HttpApiClient.ofOwnProcess(client, address.url(), address.secret());
        try {
            api.get("/api/host");
            return Optional.of(new AdminApi(api, address.publicUrl(), client));
        } catch (SkepException e) {
            client.close();
            // Another process may have got the port; it knows nothing of this secret.
            boolean gone =
                    e.code() == ErrorCode.HUB_UNREACHABLE || e.code() == ErrorCode.UNAUTHENTICATED;
            if (gone) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The address to give to people and to other machines. */
    public String publicUrl() {
        return publicUrl;
    }

    @Override
    public Answer call(HttpMethod method, String path, Map<String, ?> body) {
        return api.call(method, path, body);
    }

    @Override
    public void download(String path, OutputStream out) {
        api.download(path, out);
    }

    @Override
    public void close() {
        try {
            under.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
