package dev.skep.directory.link;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.link.HubAddress;
import java.net.URI;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A hub this host is enrolled with, or will be at the first try. */
public final class EnrolledHub implements HubAddress {
    private final HubSession session;
    private final Optional<Supplier<String>> pairing;
    private final Predicate<String> isLinked;
    private volatile @Nullable String id;

    /**
     * Opens no connection yet.
     *
     * @param pairing makes a pairing code, where the hub is in this very process
     * @param isLinked whether there is a link to the hub of an id, by whatever address
     */
    public EnrolledHub(
            HubSession session, Optional<Supplier<String>> pairing, Predicate<String> isLinked) {
        this.session = session;
        this.pairing = pairing;
        this.isLinked = isLinked;
    }

    /** The hub's own id, once the hub has sent it, now or at enrolment. */
    public Optional<String> id() {
        return Optional.ofNullable(id).or(session::hubId);
    }

    /** Whether its address led back to this very host, so that there is no hub to sync with. */
    public boolean isThisHost() {
        return session.isThisHost();
    }

    @Override
    public String name() {
        return session.url().toString();
    }

    @Override
    public URI link() {
        return session.url().link();
    }

    @Override
    public Ticket ticket() {
        LinkToken token = token();
        if (isLinked.test(token.hubId())) {
            // Two processes of one hub: the second address waits until the first fails.
            throw new SkepException(
                    ErrorCode.CONFLICT, "linked to the same hub by another of its addresses");
        }
        return new Ticket(token.text(), token.hubId());
    }

    /** A fresh token; enrols first where that is due. */
    public synchronized LinkToken token() {
        LinkToken token = pairing.isPresent() ? pairedToken(pairing.get()) : session.token();
        id = token.hubId();
        return token;
    }

    private LinkToken pairedToken(Supplier<String> code) {
        try {
            return session.token();
        } catch (SkepException refused) {
            boolean isStranger =
                    refused.code() == ErrorCode.NOT_ENROLLED
                            || refused.code() == ErrorCode.HUB_CHANGED;
            if (!isStranger) {
                throw refused;
            }
            session.enrol(code.get());
            return session.token();
        }
    }
}
