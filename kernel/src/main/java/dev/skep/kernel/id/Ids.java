package dev.skep.kernel.id;

import com.github.f4b6a3.ulid.Ulid;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** What can be read from an id without asking anyone. */
public final class Ids {
    private Ids() {}

    public static boolean isUlid(String text) {
        return Ulid.isValid(text);
    }

    /** Whether it is a ULID as we write them; the same in small letters would be another row. */
    public static boolean isOurUlid(String text) {
        return isUlid(text) && text.chars().noneMatch(c -> c >= 'a');
    }

    /** When the row with this id was born, by its maker's clock: for retention and for people. */
    public static Instant bornAt(String ulid) {
        return Ulid.from(ulid).getInstant();
    }

    /** The smallest id a row born at this instant can have: a bound for ranges of ids. */
    public static String lowestAt(Instant instant) {
        return Ulid.min(instant.toEpochMilli()).toString();
    }

    /** Always the same id for the same time and name, for rows that came without one. */
    public static String derived(Instant bornAt, String name) {
        UUID hash = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
        long high =
                (Math.max(0, bornAt.toEpochMilli()) << 16)
                        | (hash.getMostSignificantBits() & 0xffff);
        return new Ulid(high, hash.getLeastSignificantBits()).toString();
    }
}
