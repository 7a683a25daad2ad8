package dev.skep.cli.command;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds what people call by name, or by id where a name is not enough. */
final class FleetLookup {
    private static final int PAGE = 1_000;

    private final ApiClient api;
    private final AdminFlags flags;

    FleetLookup(ApiClient api, AdminFlags flags) {
        this.api = api;
        this.flags = flags;
    }

    JsonFields host(String word) {
        return the("host", word, all("hosts", Map.of()));
    }

    JsonFields server(String word) {
        return the("server", word, all("servers", Map.of()));
    }

    JsonFields serverOf(JsonFields host, String word) {
        return the("server", word, all("servers", Map.of("host", host.text("id"))));
    }

    /** The names of all hosts, by id. */
    Map<String, String> hosts() {
        return all("hosts", Map.of()).stream()
                .collect(Collectors.toMap(host -> host.text("id"), host -> host.shown("name")));
    }

    private List<JsonFields> all(String list, Map<String, String> filter) {
        List<JsonFields> all = new ArrayList<>();
        Optional<String> after = Optional.of("");
        while (after.isPresent()) {
            String path =
                    RunnerCall.path(flags.path(list), Map.of("after", after.get(), "limit", PAGE));
            for (var each : filter.entrySet()) {
                path += "&" + each.getKey() + "=" + AdminFlags.encoded(each.getValue());
            }
            JsonFields page = api.get(path).fields();
            all.addAll(page.list(list));
            after = page.optionalText("next");
        }
        return all;
    }

    /** By its name, or with the suffix that distinguishes two of one name: {@code vm~RQGE}. */
    private static boolean isCalled(JsonFields thing, String word) {
        String name = thing.shown("name");
        return word.equals(name) || word.equals(HostNames.own(name, true, thing.text("id")));
    }

    private static JsonFields the(String kind, String word, List<JsonFields> all) {
        List<JsonFields> fitting =
                all.stream()
                        .filter(each -> each.text("id").equals(word))
                        .findFirst()
                        .map(List::of)
                        .orElseGet(
                                () -> all.stream().filter(each -> isCalled(each, word)).toList());
        if (fitting.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no %s %s; 'skep %ss' lists them".formatted(kind, word, kind));
        }
        if (fitting.size() > 1) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%d %ss are called %s; name one by its id: %s"
                            .formatted(
                                    fitting.size(),
                                    kind,
                                    word,
                                    fitting.stream()
                                            .map(each -> each.text("id"))
                                            .collect(Collectors.joining(" or "))));
        }
        return fitting.getFirst();
    }
}
