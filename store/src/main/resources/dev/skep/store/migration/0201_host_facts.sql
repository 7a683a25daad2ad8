-- What a host reports of itself for tests of labels: os, arch, cpus, memory, runtime.NAME. A JSON object with sorted keys.
ALTER TABLE host_health ADD COLUMN facts TEXT;
