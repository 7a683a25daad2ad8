package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BudgetsOverHttpTest {
    private static final String ADMIN = "operator:default";
    private static final String BUDGETS = "/api/orgs/default/budgets";
    private static final String HOST = "host:default:h1";

    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.beat("h1");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    private DispatchTestHub.Answer add(String name, String scope, String subject, long micros) {
        return hub.post(
                ADMIN,
                BUDGETS,
                Map.of(
                        "name", name,
                        "scope", scope,
                        "subject", subject,
                        "amountMicros", micros,
                        "windowSeconds", 86_400));
    }

    private DispatchTestHub.Answer exchange(long sequence, List<Map<String, Object>> wants) {
        return hub.post(
                HOST,
                "/api/agent/budgets",
                Map.of(
                        "ledger",
                        "l1",
                        "sequence",
                        sequence,
                        "acknowledged",
                        sequence - 1,
                        "leases",
                        List.of(),
                        "states",
                        List.of(),
                        "wants",
                        wants));
    }

    @Test
    void a_budget_is_made_shown_changed_and_removed_with_a_trail() {
        DispatchTestHub.Answer made = add("all", "org", "", 10_000_000);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(made.fields().number("freeMicros")).isEqualTo(10_000_000);
        assertThat(made.fields().text("hubId")).isEqualTo("hub");
        assertThat(made.fields().textList("unheardHostIds")).containsExactly("h1");
        assertThat(hub.get(ADMIN, BUDGETS + "/all").fields().text("id"))
                .isEqualTo(made.fields().text("id"));

        DispatchTestHub.Answer changed =
                hub.call("PUT", ADMIN, BUDGETS + "/all", Map.of("amountMicros", 20, "name", "few"));
        assertThat(changed.status()).as(changed.body()).isEqualTo(200);
        assertThat(changed.fields().number("amountMicros")).isEqualTo(20);
        assertThat(hub.call("DELETE", ADMIN, BUDGETS + "/few", null).status()).isEqualTo(204);
        assertThat(hub.get(ADMIN, BUDGETS).fields().list("budgets")).isEmpty();
        assertThat(hub.audited).contains("budget_added", "budget_changed", "budget_removed");
    }

    @Test
    void what_is_wrong_changes_nothing_and_is_named() {
        assertThat(add("a", "planet", "", 1).body()).contains("agent, host, label or org");
        assertThat(add("a", "org", "x", 1).body()).contains("has no 'subject'");
        assertThat(add("a", "label", "blue", 1).body()).contains("team:blue");
        assertThat(add("a", "org", "", -1).body()).contains("amount is positive");
        assertThat(add("<b>", "org", "", 1).status()).isEqualTo(400);
        assertThat(add("a", "org", "", 5).status()).isEqualTo(201);
        assertThat(add("a", "org", "", 5).status()).isEqualTo(409);
        DispatchTestHub.Answer window =
                hub.call("PUT", ADMIN, BUDGETS + "/a", Map.of("windowSeconds", 60));
        assertThat(window.status()).isEqualTo(409);
        assertThat(window.body()).contains("make another budget");
        assertThat(hub.post(ADMIN, BUDGETS + "/open", Map.of()).status()).isEqualTo(409);
        assertThat(hub.get(ADMIN, BUDGETS).fields().list("budgets")).hasSize(1);
    }

    @Test
    void only_an_admin_changes_budgets_and_anybody_of_the_org_sees_them() {
        add("all", "org", "", 5);
        assertThat(hub.get("viewer:default", BUDGETS).status()).isEqualTo(200);
        for (String method : List.of("PUT", "DELETE")) {
            assertThat(hub.call(method, "viewer:default", BUDGETS + "/all", Map.of()).status())
                    .isEqualTo(403);
        }
        assertThat(hub.post("viewer:default", BUDGETS + "/open", Map.of()).status()).isEqualTo(403);
    }

    @Test
    void a_host_is_lent_what_it_asks_for_once_and_malformed_amounts_are_refused() {
        String budget = add("all", "org", "", 10_000_000).fields().text("id");
        Map<String, Object> want =
                Map.of("request", "r1", "budget", budget, "least", 1, "most", 6_000_000);
        JsonFields first = exchange(1, List.of(want)).fields();
        JsonFields again = exchange(2, List.of(want)).fields();
        assertThat(first.list("grants").getFirst().text("lease"))
                .isEqualTo(again.list("grants").getFirst().text("lease"));
        JsonFields shown = hub.get(ADMIN, BUDGETS + "/all").fields();
        assertThat(shown.number("leasedMicros")).isEqualTo(6_000_000);
        assertThat(shown.number("freeMicros")).isEqualTo(4_000_000);
        assertThat(shown.textList("unheardHostIds")).isEmpty();

        Map<String, Object> negative =
                Map.of("request", "r2", "budget", budget, "least", -1, "most", 1);
        assertThat(exchange(3, List.of(negative)).status()).isEqualTo(400);
        assertThat(exchange(3, List.of(Map.of("request", "r3"))).status()).isEqualTo(400);
    }
}
