-- On a hub: what each host lets it do, in the host's own words; nothing for a host that has not said.
ALTER TABLE host_health ADD COLUMN allows TEXT;
