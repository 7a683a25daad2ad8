package dev.skep.wire.call;

import java.util.Optional;

/**
 * What a hub answers to a report.
 *
 * @param settlement what became of the report: applied, repeated, late
 * @param next the next run, if the host asked for one and there is one
 */
public record ReportAnswer(String settlement, Optional<RunAssignment> next) {

    public String json() {
        return CallJson.object(
                json -> {
                    json.writeStringProperty("settlement", settlement);
                    next.ifPresent(
                            run -> {
                                json.writeObjectPropertyStart("next");
                                run.write(json);
                                json.writeEndObject();
                            });
                });
    }

    static ReportAnswer read(MessageFields fields) {
        return new ReportAnswer(
                fields.optionalText("settlement").orElse(""),
                fields.object("next").map(RunAssignment::read));
    }
}
