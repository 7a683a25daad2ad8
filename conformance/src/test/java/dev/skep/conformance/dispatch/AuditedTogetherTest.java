package dev.skep.conformance.dispatch;

import static dev.skep.conformance.dispatch.QueueFixture.HOST;
import static dev.skep.conformance.dispatch.QueueFixture.OPERATOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.directory.audit.AuditEntry;
import dev.skep.directory.audit.AuditFilter;
import dev.skep.directory.audit.AuditStore;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.kernel.id.UlidSource;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people ask for and the entry about it are there together or not at all. */
class AuditedTogetherTest extends EachEngine {
    private AuditStore store;
    private List<AuditEntry> before = List.of();

    @BeforeEach
    void keepEntries() {
        store = new AuditStore(new UlidSource(queue.time, new SecureRandom()), queue.time);
        queue.audit = store::record;
        before = entries();
    }

    @Test
    void a_job_that_could_not_be_stored_leaves_no_entry() {
        failAfterTheEntry();
        assertThatThrownBy(queue::create).isInstanceOf(IllegalStateException.class);

        assertThat(entries()).isEqualTo(before);
        assertThat(queue.received).isEmpty();
        assertThat(queue.queue().claim(HOST)).isEqualTo(new ClaimResult.NothingPending());
    }

    @Test
    void a_job_that_could_not_be_cancelled_or_repeated_is_as_it_was() {
        CreatedJob job = queue.create();
        List<AuditEntry> created = entries();
        assertThat(created).hasSize(before.size() + 1);

        failAfterTheEntry();
        assertThatThrownBy(() -> queue.queue().cancel(OPERATOR, job.job()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(entries()).isEqualTo(created);
        queue.settle(HOST, queue.claimed(HOST), RunOutcome.FAILED);

        assertThatThrownBy(() -> queue.queue().retry(OPERATOR, job.job()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(entries()).isEqualTo(created);
        assertThat(queue.status(job)).isEqualTo("failed");
    }

    private void failAfterTheEntry() {
        queue.audit =
                (transaction, actor, action, target, detail) -> {
                    store.record(transaction, actor, action, target, detail);
                    throw new IllegalStateException("after the entry, before the commit");
                };
    }

    private List<AuditEntry> entries() {
        return queue.database.read(
                snapshot ->
                        store.newest(
                                snapshot,
                                OPERATOR.principal(),
                                AuditFilter.ALL,
                                Optional.empty(),
                                100));
    }
}
