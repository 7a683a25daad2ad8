package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenApiTest {
    @TempDir Path folder;

    @Test
    void every_route_is_described_with_its_parameters_and_what_it_is_for() {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            DispatchTestHub.Answer answer = hub.get("operator:default", "/api/openapi.json");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.fields().text("openapi")).startsWith("3.1");
            JsonFields paths = answer.fields().object("paths").orElseThrow();
            for (Route route : hub.table().routes()) {
                Optional<JsonFields> operation =
                        paths.object(route.path())
                                .flatMap(
                                        path ->
                                                path.object(
                                                        route.method()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)));
                assertThat(operation).as("%s", route).isPresent();
                assertThat(operation.get().optionalText("summary")).as("%s", route).isPresent();
                assertThat(operation.get().list("parameters").stream().map(p -> p.text("name")))
                        .containsAll(route.parameters());
            }
        }
    }
}
