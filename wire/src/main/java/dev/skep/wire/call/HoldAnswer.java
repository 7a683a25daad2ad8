package dev.skep.wire.call;

import java.util.Optional;

/**
 * What a host is to do with all its agents; neither where it has done so.
 *
 * @param hold what holds them from now on
 * @param release the id of the hold that is over
 */
public record HoldAnswer(Optional<Wanted> hold, Optional<String> release) {
    public static final HoldAnswer NOTHING = new HoldAnswer(Optional.empty(), Optional.empty());

    /**
     * A hold of all agents of an org.
     *
     * @param by who asked for it, for people
     * @param reason may be empty
     */
    public record Wanted(String id, String by, String reason) {}

    public static HoldAnswer hold(Wanted wanted) {
        return new HoldAnswer(Optional.of(wanted), Optional.empty());
    }

    public static HoldAnswer release(String id) {
        return new HoldAnswer(Optional.empty(), Optional.of(id));
    }

    public String json() {
        return CallJson.object(
                json -> {
                    hold.ifPresent(
                            wanted -> {
                                json.writeObjectPropertyStart("hold");
                                json.writeStringProperty("id", wanted.id());
                                json.writeStringProperty("by", wanted.by());
                                json.writeStringProperty("reason", wanted.reason());
                                json.writeEndObject();
                            });
                    release.ifPresent(id -> json.writeStringProperty("release", id));
                });
    }

    static HoldAnswer read(MessageFields fields) {
        return new HoldAnswer(
                fields.object("hold")
                        .map(
                                wanted ->
                                        new Wanted(
                                                wanted.text("id"),
                                                wanted.text("by"),
                                                wanted.optionalText("reason").orElse(""))),
                fields.optionalText("release"));
    }
}
