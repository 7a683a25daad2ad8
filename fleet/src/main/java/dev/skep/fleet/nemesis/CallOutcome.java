package dev.skep.fleet.nemesis;

import dev.skep.cli.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What came of asking a process for something. */
sealed interface CallOutcome {
    Duration PATIENCE = Duration.ofSeconds(5);

    /** It said yes. */
    record Yes(JsonFields fields) implements CallOutcome {}

    /** It said no, so nothing has happened. */
    record No(int status, String why) implements CallOutcome {}

    /** The call reached no process. */
    record NotSent() implements CallOutcome {}

    /** It arrived or not; it may have happened, once. */
    record Unknown(String why) implements CallOutcome {}

    static CallOutcome of(
            HttpClient client,
            NemesisProcess nemesisProcess,
            String method,
            String path,
            Map<String, ?> body)
            throws InterruptedException {
        Optional<AdminFile.Address> address = nemesisProcess.adminAddress();
        if (address.isEmpty()) {
            return new NotSent();
        }
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address.get().url() + path))
                        .timeout(PATIENCE)
                        .header("Authorization", "Bearer " + address.get().secret())
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                method.equals("GET")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(Json.bytes(body)))
                        .build();
        try {
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            return answer.statusCode() / 100 == 2
                    ? new Yes(Json.fields(answer.body()))
                    : new No(answer.statusCode(), answer.body());
        } catch (ConnectException | HttpConnectTimeoutException away) {
            return new NotSent();
        } catch (IOException | SkepException cut) {
            return new Unknown(String.valueOf(cut.getMessage()));
        }
    }
}
