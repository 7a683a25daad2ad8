package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.job.JobKind;
import dev.skep.kernel.job.JobKind.ByAgents;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Generated from {@link JobKind}: every type of job, asked for by everybody, over HTTP. */
class WhoMayAskForJobsTest {
    private static final String JOBS = "/api/orgs/default/jobs";
    private static final String POLICY = "/api/orgs/default/job-policy";
    private static final String ADMIN = "operator:default";
    private static final String AGENT = "agent:default:01AGENT0000000000000000000";
    private static final String APPROVAL = "01JC0000000000000000000001";

    @TempDir Path folder;
    private DispatchTestHub hub;
    private String server = "";

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.beat("h1");
        server =
                hub.post(
                                ADMIN,
                                "/api/orgs/default/servers",
                                Map.of(
                                        "hostId",
                                        "h1",
                                        "name",
                                        "web",
                                        "spec",
                                        Map.of("command", "serve")))
                        .fields()
                        .text("id");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    /** A job of the type that is right in every other way. */
    private Map<String, Object> job(String type) {
        Map<String, Object> job = new HashMap<>(Map.of("type", type, "hostId", "h1"));
        if (type.startsWith("server.")) {
            job.put("serverInstanceId", server);
        }
        Map<String, String> payload = new TreeMap<>(Map.of("agent", "alice", "approval", APPROVAL));
        JobKind.of(type)
                .ifPresent(kind -> kind.needs().forEach(name -> payload.putIfAbsent(name, "true")));
        job.put("payload", payload);
        return job;
    }

    private int asked(String who, String type) {
        return hub.post(who, JOBS, job(type)).status();
    }

    @Test
    void every_type_is_for_operators_and_for_agents_as_its_entry_says() {
        Map<String, Integer> answers = new TreeMap<>();
        Map<String, Integer> expected = new TreeMap<>();
        for (JobKind kind : JobKind.values()) {
            String type = kind.type();
            boolean byAgents = JobKind.byAgents(type) == ByAgents.UNLESS_WITHDRAWN;
            // Agents' files and secrets have routes of their own, which check them first.
            int byPeople = kind.isFileChange() || kind.isAboutSecrets() ? 400 : 201;
            expected.put(type + " by an admin", byPeople);
            expected.put(type + " by an operator", byPeople);
            expected.put(type + " by a viewer", 403);
            expected.put(type + " by a host", 403);
            expected.put(type + " by an agent", byAgents ? 201 : 403);
            answers.put(type + " by an admin", asked(ADMIN, type));
            answers.put(type + " by an operator", asked("plain:default", type));
            answers.put(type + " by a viewer", asked("viewer:default", type));
            answers.put(type + " by a host", asked("host:default:h1", type));
            answers.put(type + " by an agent", asked(AGENT, type));
        }
        assertThat(answers).isEqualTo(expected);
    }

    @Test
    void an_org_grants_its_agents_what_does_not_steer_and_takes_it_back() {
        List<String> grantable =
                Arrays.stream(JobKind.values())
                        .map(JobKind::type)
                        .filter(type -> JobKind.byAgents(type) != ByAgents.NEVER)
                        .toList();
        DispatchTestHub.Answer all =
                hub.call("PATCH", ADMIN, POLICY, Map.of("agentJobTypes", grantable));
        assertThat(all.status()).as(all.body()).isEqualTo(200);
        for (JobKind kind : JobKind.values()) {
            assertThat(asked(AGENT, kind.type()))
                    .as(kind.type())
                    .isEqualTo(grantable.contains(kind.type()) ? 201 : 403);
        }

        hub.call("PATCH", ADMIN, POLICY, Map.of("agentJobTypes", List.of()));
        assertThat(asked(AGENT, "agent.task")).isEqualTo(403);
        hub.call("PATCH", ADMIN, POLICY, Map.of("refuseExcess", false));
        assertThat(asked(AGENT, "agent.task"))
                .as("the other setting changes nothing")
                .isEqualTo(403);
        assertThat(hub.audited).contains("job_policy_changed");
    }

    @Test
    void steering_jobs_cannot_be_granted_and_agents_grant_nothing() {
        for (JobKind kind : JobKind.values()) {
            if (JobKind.byAgents(kind.type()) == ByAgents.NEVER) {
                DispatchTestHub.Answer refused =
                        hub.call(
                                "PATCH",
                                ADMIN,
                                POLICY,
                                Map.of("agentJobTypes", List.of(kind.type())));
                assertThat(refused.status()).as(kind.type()).isEqualTo(400);
                assertThat(refused.body()).contains(kind.type()).contains("for people");
            }
        }
        // A type of a later version that is about agents is not let through by its age.
        assertThat(
                        hub.call(
                                        "PATCH",
                                        ADMIN,
                                        POLICY,
                                        Map.of("agentJobTypes", List.of("agent.always_allow")))
                                .status())
                .isEqualTo(400);
        assertThat(
                        hub.call("PATCH", AGENT, POLICY, Map.of("agentJobTypes", List.of("shell")))
                                .status())
                .isEqualTo(403);
        assertThat(
                        hub.call(
                                        "PATCH",
                                        "plain:default",
                                        POLICY,
                                        Map.of("agentJobTypes", List.of("shell")))
                                .status())
                .isEqualTo(403);
    }

    @Test
    void an_agent_cancels_and_repeats_its_own_jobs_only() {
        String theirs = hub.post(ADMIN, JOBS, job("agent.task")).fields().text("id");
        String stop = hub.post(ADMIN, JOBS, job("agent.stop")).fields().text("id");
        String own = hub.post(AGENT, JOBS, job("agent.task")).fields().text("id");

        for (String verb : List.of("cancel", "retry")) {
            assertThat(hub.post(AGENT, JOBS + "/" + theirs + "/" + verb, Map.of()).status())
                    .isEqualTo(403);
            assertThat(hub.post(AGENT, JOBS + "/" + stop + "/" + verb, Map.of()).status())
                    .isEqualTo(403);
        }
        assertThat(hub.post(AGENT, JOBS + "/" + own + "/cancel", Map.of()).status()).isEqualTo(200);
        assertThat(hub.post(AGENT, JOBS + "/" + own + "/retry", Map.of()).status()).isEqualTo(201);
    }

    @Test
    void a_decision_names_its_approval_in_full_and_tells_the_host_who_decided() {
        for (String id : List.of("", "0001", APPROVAL.substring(1), "latest", APPROVAL + "0")) {
            DispatchTestHub.Answer refused =
                    hub.post(
                            ADMIN,
                            JOBS,
                            Map.of(
                                    "type",
                                    "agent.approve",
                                    "hostId",
                                    "h1",
                                    "payload",
                                    Map.of("agent", "alice", "approval", id)));
            assertThat(refused.status()).as(id).isEqualTo(400);
            assertThat(refused.body()).contains("full id");
        }
        Map<String, Object> lie = new HashMap<>(job("agent.approve"));
        lie.put("payload", Map.of("agent", "alice", "approval", APPROVAL, "by", "the president"));
        String decision = hub.post(ADMIN, JOBS, lie).fields().text("id");

        JsonFields told =
                hub.post("host:default:h1", "/api/agent/jobs/next", Map.of())
                        .fields()
                        .object("payload")
                        .orElseThrow();
        assertThat(told.text("approval")).isEqualTo(APPROVAL);
        assertThat(told.text("by")).isEqualTo("operator op");
        hub.post(ADMIN, JOBS + "/" + decision + "/cancel", Map.of());
        assertThat(hub.post(ADMIN, JOBS + "/" + decision + "/retry", Map.of()).body())
                .contains("not repeated");
    }
}
