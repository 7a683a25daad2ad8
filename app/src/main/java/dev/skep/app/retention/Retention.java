package dev.skep.app.retention;

import dev.skep.cli.config.RetentionConfig;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.clock.RetentionClock;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Purges what is too old in one database, once an hour. */
public final class Retention implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
    private static final Duration FIRST = Duration.ofMinutes(1);
    private static final Duration EVERY = Duration.ofHours(1);

    /** How many of the oldest rows go at a time where a file is too large; then a tenth of it. */
    private static final int CUT = 5_000;

    /** Enough for a round to give back a gigabyte; the rest is reused, or waits for the next. */
    private static final int VACUUMS = 128;

    private final Database database;
    private final RetentionConfig config;
    private final List<RetentionRule> kinds;
    private final List<OldestRowDeleter> bulk;
    private final RetentionClock clock;
    private final SizeLimitPurges sizeLimitPurges;
    private volatile BooleanSupplier elsewhere = () -> false;
    private final PeriodicTask task = new PeriodicTask("retention", FIRST, EVERY, this::round);

    /** Deletes about so many of the oldest rows, needed elsewhere or not; returns how many. */
    @FunctionalInterface
    public interface OldestRowDeleter {
        long cut(int rows);
    }

    /**
     * Does nothing yet.
     *
     * @param bulk what goes first where a file has outgrown its limit, in this order
     * @param sizeLimitPurges receives what was purged for its size
     */
    public Retention(
            Database database,
            RetentionConfig config,
            List<RetentionRule> kinds,
            List<OldestRowDeleter> bulk,
            RetentionClock clock,
            SizeLimitPurges sizeLimitPurges) {
        this.database = database;
        this.config = config;
        this.kinds = List.copyOf(kinds);
        this.bulk = List.copyOf(bulk);
        this.clock = clock;
        this.sizeLimitPurges = sizeLimitPurges;
    }

    /**
     * Leaves old rows to another process on the database while there is one that knows better what
     * may go.
     */
    public Retention leftTo(BooleanSupplier another) {
        elsewhere = another;
        return this;
    }

    @Override
    public void start() {
        task.start();
    }

    /** One round; a failure is logged and tried again in the next. */
    public void round() {
        try {
            // An hour may purge only so much, whichever process does it and however often it
            // starts.
            boolean begins = !elsewhere.getAsBoolean() && clock.beginsRound(EVERY.minus(FIRST));
            long old = begins ? forgetOld() : 0;
            long cut = cutToSize();
            sizeLimitPurges.round(cut);
            long gone = old + cut;
            if (gone > 0) {
                giveBack();
            }
        } catch (SkepException failure) {
            LOG.warn(
                    "forgetting failed database={} reason={}",
                    database.name(),
                    failure.getMessage());
        }
    }

    private long forgetOld() {
        long all = 0;
        for (RetentionRule retentionRule : kinds) {
            long gone = retentionRule.purge().olderThan(retentionRule.keep());
            if (gone > 0) {
                LOG.info(
                        "forgot old rows table={} rows={} older={}d",
                        retentionRule.named(),
                        gone,
                        retentionRule.keep().toDays());
            }
            all += gone;
        }
        return all;
    }

    private long cutToSize() {
        if (config.mostBytes().isEmpty()) {
            return 0;
        }
        long most = config.mostBytes().getAsLong();
        long all = 0;
        for (OldestRowDeleter oldest : bulk) {
            for (int cut = CUT; cut > CUT / 1_000; cut /= 10) {
                long gone = 1;
                while (gone > 0 && database.usedBytes().orElse(0) > most) {
                    gone = oldest.cut(cut);
                    all += gone;
                }
            }
        }
        if (all > 0) {
            LOG.warn(
                    "forgot the oldest rows before their time database={} rows={} limit={} bytes",
                    database.name(),
                    all,
                    most);
        }
        return all;
    }

    private void giveBack() {
        int pieces = 0;
        while (pieces < VACUUMS && database.giveBackSpace()) {
            pieces++;
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
