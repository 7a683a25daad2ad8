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

    /** How long to wait between two looks. */
    Duration lookEvery() {
        return Duration.ofNanos(soon);
    }

    /** A message came. */
    void message(long now) {
        heardAt = now;
        answered = false;
    }

    /** The hub showed that it is there, and nothing else. */
    void sign(long now) {
        heardAt = now;
        answered = true;
    }

    /** Decides, taking for done what it says. */
    Next look(long now) {
        long heard = heardAt;
        if (now - heard > PATIENCE * usual) {
            return Next.GIVE_UP;
        }
        if (heard != askedSince) {
            askedSince = heard;
            asked = 0;
        }
        boolean again = !answered && asked < SOON_AT_MOST && now - heard >= soon;
        if (!again && Math.min(now - heard, now - askedAt) < usual) {
            return Next.WAIT;
        }
        askedAt = now;
        asked++;
        answered = false;
        return Next.ASK;
    }
}
