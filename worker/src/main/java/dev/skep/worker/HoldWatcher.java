package dev.skep.worker;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one hub, as long as this host works for it, whether all agents are to stand still. The hub
 * answers when that differs from what this host says, so neither forgets the other's wish: what was
 * wanted while the host was away is done when it asks again.
 */
final class HoldWatcher implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(HoldWatcher.class);
    private static final Duration WAIT = Duration.ofSeconds(50);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** A hub of an earlier version is asked again, in case it is updated under an open link. */
    private static final Duration WHERE_UNKNOWN = Duration.ofMinutes(1);

    private final DispatchClient dispatchClient;
    private final HubConsent consent;
    private final HoldableAgents agents;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Thread asker = Thread.ofVirtual().unstarted(() -> {});

    /** The hold that this host does not let the hub have. */
    private @Nullable String refused;

    HoldWatcher(DispatchClient dispatchClient, HubConsent consent, HoldableAgents agents) {
        this.dispatchClient = dispatchClient;
        this.consent = consent;
        this.agents = agents;
    }

    @Override
    public void start() {
        agents.onChange(this::reportSoon);
        asker = Thread.ofVirtual().name("hold-watch").start(this::askUntilClosed);
    }

    @Override
    public void close() {
        closed.countDown();
        asker.interrupt();
    }

    /** Something changed here that the hub does not know yet: the waiting call says the old. */
    void reportSoon() {
        if (closed.getCount() > 0) {
            Thread.ofVirtual().name("hold-report").start(() -> ask(Duration.ZERO));
        }
    }

    private void askUntilClosed() {
        try {
            boolean over = false;
            while (!over) {
                over = closed.await(ask(WAIT).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks once; how long to rest then. */
    private Duration ask(Duration wait) {
        try {
            HoldableAgents.Known known = known();
            HoldAnswer answer = dispatchClient.hold(known.hold(), known.state(), wait);
            obey(answer);
            agents.heard(consent.address());
            return Duration.ZERO;
        } catch (SkepException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                agents.heard(consent.address());
                return WHERE_UNKNOWN;
            }
            return AFTER_FAILURE;
        } catch (RuntimeException e) {
            LOG.error("asking about holds failed hub={}", consent.address(), e);
            return AFTER_FAILURE;
        }
    }

    private synchronized HoldableAgents.Known known() {
        if (refused != null && consent.has(Consent.STEER)) {
            refused = null;
        }
        return refused == null
                ? agents.known(consent.address())
                : new HoldableAgents.Known(Optional.of(refused), HoldState.REFUSED);
    }

    private synchronized void obey(HoldAnswer answer) {
        answer.release().ifPresent(id -> agents.release(consent.address(), id));
        answer.hold().ifPresent(this::hold);
    }

    private void hold(HoldAnswer.Wanted wanted) {
        if (consent.has(Consent.STEER)) {
            agents.hold(consent.address(), wanted);
            LOG.info("all agents are held hub={} by={}", consent.address(), wanted.by());
        } else {
            refused = wanted.id();
            LOG.warn("{}", consent.refusal(Consent.STEER));
        }
    }
}
