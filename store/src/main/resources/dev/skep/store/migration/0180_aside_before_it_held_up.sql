-- What a hub had aside before it held up its owner has no stamp, so it stands for the first one: the owner
-- keeps its rows until this is taken or forgotten. The reasons are those of rows that may be taken later.
UPDATE hub_sync_state SET aside_from = 1 WHERE EXISTS (
    SELECT 1 FROM sync_quarantine q WHERE q.host_id = hub_sync_state.id AND q.ver = 0 AND q.reason IN (
        'unknown_table', 'bad_column', 'text_too_long', 'too_large', 'not_stored', 'agent_not_of_host',
        'takeover_unconfirmed'));

UPDATE sync_quarantine SET ver = 1 WHERE ver = 0 AND reason IN (
    'unknown_table', 'bad_column', 'text_too_long', 'too_large', 'not_stored', 'agent_not_of_host',
    'takeover_unconfirmed');
