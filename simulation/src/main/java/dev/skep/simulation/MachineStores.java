package dev.skep.simulation;

import dev.skep.sync.SyncSchema;

/** Where machines keep their databases. */
@FunctionalInterface
interface MachineStores {
    MachineStore open(
            World world,
            SimulatedMachine machine,
            SyncSchema schema,
            boolean forwards,
            Runnable moved);

    static MachineStores inMemory() {
        return (world, machine, schema, forwards, moved) ->
                new MemoryStore(world, machine.clock(), schema, forwards, moved);
    }
}
