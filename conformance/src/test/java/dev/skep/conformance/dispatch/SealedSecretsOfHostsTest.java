package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.secret.SecretStore;
import dev.skep.dispatch.secret.SecretStore.Seal;
import dev.skep.dispatch.secret.SecretTarget;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What a hub stores of secrets for hosts: for whom they are, and never for another org. */
class SealedSecretsOfHostsTest extends EachEngine {
    private static final Principal OURS = new Principal.Local(QueueFixture.ORG);
    private static final Principal THEIRS = new Principal.Local(QueueFixture.OTHER_ORG);
    private static final HostId HOST = QueueFixture.HOST.id();
    private static final SecretTarget LABELLED = new SecretTarget.Labelled("env:prod");

    private final SecretStore secrets = new SecretStore();

    @Test
    void a_secret_is_replaced_as_a_whole_and_shown_with_the_job_that_brings_it() {
        CreatedJob first = set("TOKEN", 7, LABELLED);
        assertThat(targets(OURS)).isEqualTo(Map.of("TOKEN", List.of(LABELLED)));
        assertThat(seals(OURS)).extracting(Seal::version, Seal::status).containsExactly(tuple(7));

        CreatedJob second = set("TOKEN", 8, new SecretTarget.Labelled("env:test"));
        assertThat(targets(OURS))
                .isEqualTo(Map.of("TOKEN", List.of(new SecretTarget.Labelled("env:test"))));
        assertThat(seals(OURS)).extracting(Seal::version, Seal::status).containsExactly(tuple(8));
        assertThat(seals(OURS).getFirst().job()).isEqualTo(second.job().value());
        assertThat(second.job()).isNotEqualTo(first.job());
    }

    private static Tuple tuple(long version) {
        return Tuple.tuple(version, "pending");
    }

    @Test
    void a_removed_secret_leaves_nothing_and_others_stay() {
        set("TOKEN", 1, LABELLED);
        set("OTHER", 1, LABELLED);
        queue.database.write(
                tx -> {
                    secrets.forget(tx, QueueFixture.ORG, "TOKEN");
                    return true;
                });
        assertThat(targets(OURS)).containsOnlyKeys("OTHER");
        assertThat(seals(OURS)).extracting(Seal::name).containsExactly("OTHER");
    }

    @Test
    void another_org_sees_and_removes_nothing_of_it() {
        set("TOKEN", 1, LABELLED);
        assertThat(targets(THEIRS)).isEmpty();
        assertThat(seals(THEIRS)).isEmpty();
        queue.database.write(
                tx -> {
                    secrets.forget(tx, QueueFixture.OTHER_ORG, "TOKEN");
                    secrets.forget(tx, QueueFixture.OTHER_ORG, "TOKEN", HOST);
                    return true;
                });
        assertThat(targets(OURS)).containsOnlyKeys("TOKEN");
        assertThat(seals(OURS)).hasSize(1);
    }

    private CreatedJob set(String name, long version, SecretTarget target) {
        CreatedJob job = queue.create();
        OrgId org = QueueFixture.ORG;
        queue.database.write(
                tx -> {
                    secrets.aim(tx, org, name, List.of(target, target), queue.time.instant());
                    secrets.sealed(
                            tx, org, name, HOST, version, job.job(), "me", queue.time.instant());
                    return true;
                });
        return job;
    }

    private Map<String, List<SecretTarget>> targets(Principal who) {
        return queue.database.read(snapshot -> secrets.targets(snapshot, who));
    }

    private List<Seal> seals(Principal who) {
        return queue.database.read(snapshot -> secrets.seals(snapshot, who));
    }
}
