package dev.skep.transport.link;

import java.time.Duration;

/**
 * Decides when a hub is asked for a sign of life, and when it has given none for too long. It is
 * asked whenever it was quiet for long, and also soon after each message: the JDK's client does not
 * tell of an end that it reads while a message is being looked at, and only writing shows it then,
 * at the third time. Heard from one thread, looked at from another.
 */
final class Pulse {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** So often it is asked soon; what fails to write has failed by then. */
    private static final int SOON_AT_MOST = 3;

    /** So many times as long as between two questions, and nobody is there. */
    private static final int PATIENCE = 3;

    private final long soon;
    private final long usual;
    private volatile long heardAt;
    private volatile boolean answered = true;
    private long askedAt;
    private long askedSince;
    private int asked;

    /** What is to be done now. */
    enum Next {
        WAIT,
        ASK,
        GIVE_UP
    }

    Pulse(Duration usual, long now) {
        this.usual = usual.toNanos();
        this.soon = Math.min(SOON.toNanos(), this.usual);
        this.heardAt = now;
        this.askedAt = now;
        this.askedSince = now;
    }

    /**
     * A message came.
     *
     * @return whether the next look is sooner for it
     */
    boolean message(long now) {
        boolean first = answered;
        heardAt = now;
        answered = false;
        return first;
    }

    /** The hub showed that it is there, and nothing else. */
    void sign(long now) {
        heardAt = now;
        answered = true;
    }

    /** How long until the next look. */
    long nanosToLook(long now) {
        long heard = heardAt;
        if (heard != askedSince) {
            askedSince = heard;
            asked = 0;
        }
        long last = heard - askedAt > 0 ? heard : askedAt;
        return last + (!answered && asked < SOON_AT_MOST ? soon : usual) - now;
    }

    /** Decides, taking for done what it says. */
    Next look(long now) {
        if (now - heardAt > PATIENCE * usual) {
            return Next.GIVE_UP;
        }
        if (nanosToLook(now) > 0) {
            return Next.WAIT;
        }
        askedAt = now;
        asked++;
        answered = false;
        return Next.ASK;
    }
}
