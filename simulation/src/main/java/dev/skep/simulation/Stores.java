package dev.skep.simulation;

import dev.skep.sync.SyncSchema;

/** Where machines keep their databases. */
@FunctionalInterface
interface Stores {
    MachineStore open(
            World world, Machine machine, SyncSchema schema, boolean forwards, Runnable moved);

    static Stores inMemory() {
        return (world, machine, schema, forwards, moved) ->
                new MemoryStore(world, machine.clock(), schema, forwards, moved);
    }
}
