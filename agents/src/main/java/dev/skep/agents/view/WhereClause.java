package dev.skep.agents.view;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A condition made of the parts that were asked for, with its parameters in order. */
final class WhereClause {
    private final StringBuilder sql;
    private final List<Object> parameters = new ArrayList<>();

    WhereClause(String first, Object... values) {
        this.sql = new StringBuilder(first);
        parameters.addAll(List.of(values));
    }

    WhereClause and(String term, Object... values) {
        sql.append(" AND ").append(term);
        parameters.addAll(List.of(values));
        return this;
    }

    WhereClause and(String term, Optional<String> value) {
        value.ifPresent(present -> and(term, present));
        return this;
    }

    /** A part of a text, whatever its case. */
    WhereClause contains(String column, Optional<String> text) {
        text.ifPresent(t -> and("lower(%s) LIKE ? ESCAPE '!'".formatted(column), pattern(t)));
        return this;
    }

    static String pattern(String text) {
        String escaped =
                text.toLowerCase(Locale.ROOT)
                        .replace("!", "!!")
                        .replace("%", "!%")
                        .replace("_", "!_");
        return "%" + escaped + "%";
    }

    Object[] parameters(Object... more) {
        List<Object> all = new ArrayList<>(parameters);
        all.addAll(List.of(more));
        return all.toArray();
    }

    @Override
    public String toString() {
        return sql.toString();
    }
}
