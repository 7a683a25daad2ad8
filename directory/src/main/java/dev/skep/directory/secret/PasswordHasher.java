package dev.skep.directory.secret;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.security.SecureRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Hashes and checks passwords on a few separate threads, so that however many people sign in, other
 * requests keep their cores. If too many wait, a caller is asked to try again later. Thread-safe.
 */
public final class PasswordHasher implements AutoCloseable {
    private static final int WAITING = 32;
    private static final int SHORTEST = 10;
    private static final int LONGEST = 1_000;

    private final SecureRandom random;
    private final ThreadPoolExecutor threads;
    private final String hashOfNoUser;

    public PasswordHasher(SecureRandom random, int cores) {
        this.random = random;
        int workers = Math.max(1, cores / 2);
        this.threads =
                new ThreadPoolExecutor(
                        workers,
                        workers,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(WAITING),
                        Thread.ofPlatform().daemon().name("password-", 0).factory());
        this.threads.allowCoreThreadTimeOut(true);
        // Checked if there is no such user, so that the response time reveals nothing.
        this.hashOfNoUser = Argon2id.blank();
    }

    public String hash(String password) {
        if (password.length() < SHORTEST || password.length() > LONGEST) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "a password has at least %d characters; choose a longer one"
                            .formatted(SHORTEST));
        }
        return onOwnThread(() -> Argon2id.hash(password, random));
    }

    /** Takes as long whether or not there is a hash to compare with. */
    public boolean matches(String password, String hash) {
        if (password.length() > LONGEST) {
            return false;
        }
        return onOwnThread(() -> Argon2id.matches(password, hash.isEmpty() ? hashOfNoUser : hash));
    }

    private <T> T onOwnThread(Callable<T> work) {
        try {
            Future<T> result = threads.submit(work);
            return result.get();
        } catch (RejectedExecutionException e) {
            throw new SkepException(
                    ErrorCode.OVERLOADED,
                    "too many people sign in right now; try again shortly",
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while signing in", e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
