package dev.skep.simulation;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.simulation.MemoryState.Grant;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What operators decided about agents, in the database in memory. */
final class MemoryGrants {
    private final MemoryStore db;
    private final MemoryState state;

    MemoryGrants(MemoryStore db) {
        this.db = db;
        this.state = db.state();
    }

    void add(OrgId org, HostId to, String userId, long gen) {
        List<Grant> all = new ArrayList<>(of(userId));
        if (all.stream().noneMatch(known -> known.grant().gen() == gen)) {
            all.add(new Grant(org.value(), to.value(), new Message.Grant(userId, gen)));
            all.sort(Comparator.comparingLong(known -> known.grant().gen()));
            db.put(state.grants, userId, all);
        }
    }

    private List<Grant> of(String userId) {
        return state.grants.getOrDefault(userId, List.of());
    }

    /**
     * The latest grant of each agent, if it is the host's and the agent's row does not carry it.
     */
    List<Message.Grant> pending(OrgId org, HostId host) {
        List<Message.Grant> pending = new ArrayList<>();
        state.grants.forEach(
                (user, all) -> {
                    Grant last = all.getLast();
                    if (last.host().equals(host.value())
                            && last.org().equals(org.value())
                            && stored(user) < last.grant().gen()) {
                        pending.add(last.grant());
                    }
                });
        pending.sort(Comparator.comparing(Message.Grant::userId));
        return pending;
    }

    long generation(String userId) {
        List<Grant> grants = of(userId);
        return Math.max(
                Math.max(0, stored(userId)), grants.isEmpty() ? 0 : grants.getLast().grant().gen());
    }

    private long stored(String userId) {
        Entry row = state.table(db.schema().agents().name()).get(userId);
        return row == null ? -1 : row.row().gen();
    }

    boolean contains(OrgId org, HostId host, String userId, long gen) {
        Message.Grant grant = new Message.Grant(userId, gen);
        return of(userId).contains(new Grant(org.value(), host.value(), grant));
    }
}
