package dev.skep.models.money;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import java.util.Optional;

/** The local table {@code counted_prompts}: the last count of each agent, kept over restarts. */
public final class CountedPromptStore {
    private final Database database;

    public CountedPromptStore(Database database) {
        this.database = database;
    }

    public Optional<CountedPrompt> of(Principal who, AgentId agent) {
        return database.read(
                snapshot ->
                        snapshot
                                .list(
                                        """
                                        SELECT model, messages, digest, bytes, prompt_tokens, context_tokens, log_id
                                        FROM counted_prompts WHERE user_id = ? AND org_id = ?
                                        """,
                                        CountedPromptStore::prompt,
                                        agent.value(),
                                        who.org().value())
                                .stream()
                                .findFirst());
    }

    /** In the transaction that stores the reply. */
    public void put(Transaction transaction, Principal who, AgentId agent, CountedPrompt counted) {
        transaction.update(
                """
                INSERT INTO counted_prompts
                    (user_id, org_id, model, messages, digest, bytes, prompt_tokens, context_tokens, log_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET org_id = excluded.org_id, model = excluded.model,
                    messages = excluded.messages, digest = excluded.digest, bytes = excluded.bytes,
                    prompt_tokens = excluded.prompt_tokens, context_tokens = excluded.context_tokens,
                    log_id = excluded.log_id
                """,
                agent.value(),
                who.org().value(),
                counted.model(),
                counted.messages(),
                counted.digest(),
                counted.bytes(),
                counted.promptTokens(),
                counted.contextTokens(),
                counted.logId());
    }

    private static CountedPrompt prompt(ResultRow row) {
        return new CountedPrompt(
                row.text("model"),
                (int) row.number("messages"),
                row.text("digest"),
                row.number("bytes"),
                row.number("prompt_tokens"),
                row.number("context_tokens"),
                row.text("log_id"));
    }
}
