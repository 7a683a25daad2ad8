package dev.skep.transport.describe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operation is for, takes and answers, said where its route is declared. Types are the
 * records that are really read and written, so that the description cannot differ from them.
 * Immutable.
 */
public final class Operation {
    private static final String JSON = "application/json";

    private final String summary;
    private final List<Query> query;
    private final @Nullable Shape body;
    private final @Nullable Object example;
    private final Map<Integer, Answer> answers;

    /** A parameter of the URL's query; all can be left out. */
    public record Query(String name, Class<?> type, String meaning) {}

    /**
     * What comes back with one status.
     *
     * @param contentType empty if there is no body
     * @param shape of JSON, null for other content
     */
    public record Answer(String contentType, @Nullable Shape shape) {}

    private Operation(
            String summary,
            List<Query> query,
            @Nullable Shape body,
            @Nullable Object example,
            Map<Integer, Answer> answers) {
        this.summary = summary;
        this.query = query;
        this.body = body;
        this.example = example;
        this.answers = answers;
    }

    /**
     * Begins with what it is for.
     *
     * @param summary one sentence for people who look for an operation
     */
    public static Operation of(String summary) {
        return new Operation(summary, List.of(), null, null, Map.of());
    }

    public Operation query(String name, Class<?> type, String meaning) {
        List<Query> more = new ArrayList<>(query);
        more.add(new Query(name, type, meaning));
        return new Operation(summary, List.copyOf(more), body, example, answers);
    }

    /** Takes a JSON object whose members are the components of this record. */
    public Operation takes(Class<? extends Record> type) {
        return new Operation(summary, query, Shape.of(type), example, answers);
    }

    /** A body that shows more than one made up from the types. */
    public Operation example(Object value) {
        return new Operation(summary, query, body, value, answers);
    }

    /** Answers 200 with JSON. */
    public Operation answers(Class<?> type, Class<?>... of) {
        return answers(200, type, of);
    }

    /** Answers 201 with JSON. */
    public Operation creates(Class<?> type, Class<?>... of) {
        return answers(201, type, of);
    }

    public Operation answers(int status, Class<?> type, Class<?>... of) {
        return with(status, new Answer(JSON, Shape.of(type, of)));
    }

    /** Answers 204 without content. */
    public Operation answersNothing() {
        return with(204, new Answer("", null));
    }

    /** Answers 200 with something that is not JSON, such as a stream of events. */
    public Operation answersText(String contentType) {
        return with(200, new Answer(contentType, null));
    }

    private Operation with(int status, Answer answer) {
        Map<Integer, Answer> more = new LinkedHashMap<>(answers);
        more.put(status, answer);
        return new Operation(summary, query, body, example, more);
    }

    public String summary() {
        return summary;
    }

    public List<Query> query() {
        return query;
    }

    public Optional<Shape> body() {
        return Optional.ofNullable(body);
    }

    public Optional<Object> example() {
        return Optional.ofNullable(example);
    }

    /** By status. */
    public Map<Integer, Answer> answers() {
        return Map.copyOf(answers);
    }
}
