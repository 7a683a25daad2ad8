package dev.skep.cli.profile;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.HttpMethod;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The hub of a profile in place of a data dir's process: commands about an org ask it as they are,
 * those about agents through {@link FleetAsRunner}.
 */
public final class RemoteApi implements ApiClient {
    private final Profile profile;
    private final ApiClient hub;
    private final FleetAsRunner runner;

    public RemoteApi(HttpClient client, Profile profile) {
        this.profile = profile;
        this.hub = HttpApiClient.ofOwnProcess(client, profile.url(), profile.secret());
        this.runner = new FleetAsRunner(hub, profile.org());
    }

    @Override
    public Answer call(HttpMethod method, String path, Map<String, ?> body) {
        return asked(
                () -> {
                    if (path.startsWith("/api/runner/")) {
                        return aboutAgents(method, path, body);
                    }
                    requireFleet(path);
                    return hub.call(method, path, body);
                });
    }

    @Override
    public void download(String path, OutputStream out) {
        requireFleet(path);
        var _ =
                asked(
                        () -> {
                            hub.download(path, out);
                            return path;
                        });
    }

    private Answer aboutAgents(HttpMethod method, String path, Map<String, ?> body) {
        try {
            return runner.call(method, path, body);
        } catch (SkepException e) {
            boolean hasNoPages =
                    e.code() == ErrorCode.NOT_FOUND
                            && String.valueOf(e.getMessage()).startsWith("there is nothing at ");
            if (!hasNoPages) {
                throw e;
            }
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "the hub at %s serves no pages, and agents are read from where these are; start it with --supervisor"
                            .formatted(profile.url()),
                    e);
        }
    }

    private static void requireFleet(String path) {
        if (!path.startsWith("/api/orgs/") && !path.startsWith("/api/session")) {
            throw onlyThere();
        }
    }

    static SkepException onlyThere() {
        return new SkepException(
                ErrorCode.BAD_REQUEST,
                "this is about one machine; run it there, without --hub and SKEP_HUB");
    }

    private <T> T asked(Supplier<T> call) {
        try {
            return call.get();
        } catch (SkepException e) {
            if (e.code() != ErrorCode.UNAUTHENTICATED) {
                throw e;
            }
            throw new SkepException(
                    ErrorCode.UNAUTHENTICATED,
                    "you are signed out at %s; sign in with: skep login %s --name %s"
                            .formatted(profile.url(), profile.url(), profile.name()),
                    e);
        }
    }

    @Override
    public void close() {
        hub.close();
    }
}
