package dev.skep.store.engine;

import dev.skep.store.Database.Work;
import dev.skep.store.Transaction;
import dev.skep.store.jdbc.JdbcTransaction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** A write on its way through the single writer, and the caller that waits for it. */
final class PendingWrite<T> {
    private final Work<Transaction, T> work;
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private List<Runnable> afterCommit = List.of();
    private @Nullable T result;

    PendingWrite(Work<Transaction, T> work) {
        this.work = work;
    }

    void run(JdbcTransaction transaction) {
        result = work.in(transaction);
        afterCommit = transaction.actionsAfterCommit();
    }

    List<Runnable> actionsAfterCommit() {
        return afterCommit;
    }

    void succeed() {
        outcome.complete(result);
    }

    void fail(Throwable failure) {
        outcome.completeExceptionally(failure);
    }

    Future<T> outcome() {
        return outcome;
    }
}
