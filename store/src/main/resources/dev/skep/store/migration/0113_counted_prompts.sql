-- What a provider counted for the last prompt of each agent, and which bytes that was for. Local: it only makes the
-- reservation of the next call smaller.
CREATE TABLE counted_prompts (
    user_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    model TEXT NOT NULL,
    messages BIGINT NOT NULL,
    digest TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    context_tokens BIGINT NOT NULL,
    log_id TEXT NOT NULL);
