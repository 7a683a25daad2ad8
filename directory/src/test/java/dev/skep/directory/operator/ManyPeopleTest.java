package dev.skep.directory.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.client.ApiClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The calls that a page begins with, among 1,000 people of 50 orgs and alone. */
@EnabledIfSystemProperty(named = "skep.people", matches = "[0-9]+")
class ManyPeopleTest {
    private static final int CALLS = 2_000;
    private static final int ORGS = 50;

    @TempDir Path folder;
    private DirectoryTestHub small;
    private DirectoryTestHub large;

    @BeforeEach
    void start() {
        small = new DirectoryTestHub(folder.resolve("small"));
        large = new DirectoryTestHub(folder.resolve("large"));
    }

    @AfterEach
    void close() {
        small.close();
        large.close();
    }

    @Test
    void a_pages_p95_stays_within_a_fifth_of_that_with_one_org() {
        String alone = signedIn(small, added(small, "default", "ada"));
        String among = signedIn(large, added(large, "default", "ada"));
        int people = Integer.getInteger("skep.people", 1_000);
        try (ApiClient admin = large.admin();
                ApiClient ada = large.as(among)) {
            for (int org = 1; org < ORGS; org++) {
                admin.post("/api/orgs", Map.of("id", "org-" + org));
                String link = added(large, "org-" + org, "ada");
                ada.post("/api/session/orgs", Map.of("token", link));
            }
        }
        for (int i = 0; i < people; i++) {
            String org = i % ORGS == 0 ? "default" : "org-" + i % ORGS;
            String _ = signedIn(large, added(large, org, "person-" + i));
        }
        try (ApiClient one = small.as(alone);
                ApiClient many = large.as(among)) {
            List<Runnable> calls =
                    List.of(
                            () -> one.get("/api/orgs/default/enrolments"),
                            () -> many.get("/api/orgs/default/enrolments"),
                            () -> many.get("/api/orgs/org-49/enrolments"));
            var _ = p95(calls);
            double[] p95 = p95(calls);
            System.out.printf(
                    "p95 of a page's call: %.0f us with one org; among %d people of %d orgs %.0f"
                            + " us, in another org %.0f us%n",
                    p95[0], people, ORGS, p95[1], p95[2]);
            assertThat(p95[1]).isLessThanOrEqualTo(p95[0] * 1.2);
            assertThat(p95[2]).isLessThanOrEqualTo(p95[0] * 1.2);
        }
    }

    /** In microseconds, of calls in turns, so that other work of the machine disturbs all alike. */
    private static double[] p95(List<Runnable> calls) {
        long[][] nanos = new long[calls.size()][CALLS];
        for (int i = 0; i < CALLS; i++) {
            for (int each = 0; each < calls.size(); each++) {
                long began = System.nanoTime();
                calls.get(each).run();
                nanos[each][i] = System.nanoTime() - began;
            }
        }
        return Arrays.stream(nanos)
                .mapToDouble(
                        all -> {
                            Arrays.sort(all);
                            return all[CALLS * 95 / 100] / 1_000.0;
                        })
                .toArray();
    }

    private static String added(DirectoryTestHub hub, String org, String name) {
        return hub.directory.operatorService().add(hub.local(org), name, Role.ADMIN).linkSecret();
    }

    private static String signedIn(DirectoryTestHub hub, String link) {
        return hub.nobody()
                .post("/api/session/link", Map.of("token", link, "bearer", true))
                .fields()
                .text("session");
    }
}
