package dev.skep.simulation;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.sync.SyncStore;
import java.util.function.Function;

/** A database whose machine may crash before or after any commit, and whose disk may be full. */
final class FaultyStore implements SyncStore {
    private static final double CRASH = 0.004;
    private static final double FULL = 0.004;

    private final World world;
    private final SyncStore store;
    private int writesToLive;

    FaultyStore(World world, SyncStore store) {
        this.world = world;
        this.store = store;
    }

    /** The machine crashes at the end of one of its next writes, before the commit. */
    void crashSoon() {
        writesToLive = 1 + world.pick(4);
    }

    @Override
    public <T> T read(Function<? super Reading, T> work) {
        return store.read(work);
    }

    @Override
    public <T> T write(Function<? super Writing, T> work) {
        T result =
                store.write(
                        tx -> {
                            T done = work.apply(tx);
                            before();
                            return done;
                        });
        after();
        return result;
    }

    /** The end of a transaction's work: its commit may not come. */
    void before() {
        boolean doomed = writesToLive > 0 && --writesToLive == 0;
        if (doomed || world.chance(CRASH)) {
            world.count(Fault.CRASH_BEFORE_COMMIT);
            throw new Crash();
        }
        if (world.chance(FULL)) {
            world.count(Fault.FAILED_APPLY);
            throw new SkepException(ErrorCode.DISK_FULL, "no space left");
        }
    }

    /** Stored, but the caller got no answer. */
    void after() {
        if (world.chance(CRASH)) {
            world.count(Fault.CRASH_AFTER_COMMIT);
            throw new Crash();
        }
    }
}
