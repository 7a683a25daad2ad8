package dev.skep.app.doctor;

import dev.skep.cli.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The process of a data dir, if one runs and answers.
 *
 * @param url where it was reached
 */
record RunningProcess(Optional<String> url) {
    static RunningProcess of(Path dataDir) {
        return new RunningProcess(
                adminAddress(dataDir).filter(RunningProcess::answers).map(AdminFile.Address::url));
    }

    private static Optional<AdminFile.Address> adminAddress(Path dataDir) {
        try {
            return AdminFile.read(dataDir);
        } catch (SkepException unreadable) {
            return Optional.empty();
        }
    }

    private static boolean answers(AdminFile.Address address) {
        try (HttpClient client = HttpApiClient.newClient();
                ApiClient api =
                        HttpApiClient.ofOwnProcess(client, address.url(), address.secret())) {
            api.get("/api/host");
            return true;
        } catch (SkepException killed) {
            return false;
        }
    }

    boolean runs() {
        return url.isPresent();
    }
}
