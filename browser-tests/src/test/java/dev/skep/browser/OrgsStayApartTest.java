package dev.skep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.browser.demo.DemoFleet;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.testkit.hub.RouteIsolation;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route of the supervisor, asked by another org with this org's ids. */
class OrgsStayApartTest {
    private static final String NOBODY = "01JYYYYYYYYYYYYYYYYYYYYYYY";

    @Test
    void another_orgs_ids_are_answered_like_nonsense(@TempDir Path folder) {
        var size = new DemoFleet.Size(6, 6, 20, 0);
        try (var fleet = new DemoFleet(folder, size, InChromium.clock())) {
            var agent = fleet.agents().getFirst();
            var session = fleet.sessionOf(agent);
            var findings =
                    new RouteIsolation(fleet.supervisorRoutes())
                            .ids("org", "acme", "default")
                            .ids("topic", NOBODY, "hosts-of-others")
                            .ids("host", NOBODY, fleet.host(0))
                            .ids("agent", NOBODY, agent.id().value())
                            .ids("run", NOBODY, session.run())
                            .ids("session", "1", "2")
                            .ids("number", "1", "2")
                            .ids("message", NOBODY, fleet.newestMail())
                            .ids("node", NOBODY, fleet.firstNode().replaceFirst(".*/", ""))
                            .ids("job", NOBODY, "01JOB-OF-OTHERS")
                            .ids("action", "pause", "explode")
                            .ids("approval", NOBODY, "01JZZZZZZZZZZZZZZZZZZZZZZZ")
                            .body("/api/orgs/{org}/approvals/{approval}", "{\"decision\":\"deny\"}")
                            .findings(
                                    new Principal.Operator(
                                            new OrgId("acme"), new OperatorId("eve"), Role.ADMIN));

            assertThat(findings).isEmpty();
        }
    }
}
