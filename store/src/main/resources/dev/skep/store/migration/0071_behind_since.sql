-- On a hub: since when it has known of rows of the host that it does not have; null if it knows of none.
ALTER TABLE hub_sync_state ADD COLUMN behind_since TEXT;
