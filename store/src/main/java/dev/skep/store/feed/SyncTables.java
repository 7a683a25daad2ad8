package dev.skep.store.feed;

import dev.skep.kernel.row.SyncTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All synced tables of a program, in the order their features describe them. */
public final class SyncTables {
    private final Map<String, TableSql> byName = new LinkedHashMap<>();

    public SyncTables(Collection<SyncTable> tables) {
        for (SyncTable table : tables) {
            if (byName.put(table.name(), new TableSql(table)) != null) {
                throw new IllegalArgumentException(table.name() + " is described twice");
            }
        }
    }

    public Optional<SyncTable> named(String name) {
        return Optional.ofNullable(byName.get(name)).map(TableSql::table);
    }

    public List<SyncTable> all() {
        return byName.values().stream().map(TableSql::table).toList();
    }

    List<TableSql> sql() {
        return List.copyOf(byName.values());
    }

    TableSql sql(SyncTable table) {
        TableSql sql = byName.get(table.name());
        if (sql == null) {
            throw new IllegalArgumentException(table.name() + " is not a synced table here");
        }
        return sql;
    }
}
