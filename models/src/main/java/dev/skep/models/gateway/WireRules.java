package dev.skep.models.gateway;

import dev.skep.models.UsageCeiling;
import dev.skep.models.provider.ModelEndpoint;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * What one wire's requests may hold, and where their bounds are. What costs outside the body is
 * refused by its name: stored conversations, files, addresses, tools of the provider.
 */
abstract class WireRules {
    /** More than any model writes; a higher bound is lowered to it. */
    static final long MOST_OUTPUT = 2_000_000;

    /**
     * What a request wants to write.
     *
     * @param answers how many answers are asked for at once
     * @param least tokens of each, with fewer it is not worth asking
     * @param each the most tokens of each, thinking included
     */
    record Output(long answers, long least, long each) {
        long all() {
            return Math.multiplyExact(answers, each);
        }

        long leastOfAll() {
            return Math.multiplyExact(answers, Math.min(least, each));
        }
    }

    /** Refuses what cannot be priced, and counts images. */
    abstract PromptImages check(CallBody body) throws RefusedCall;

    abstract Output output(CallBody body, ModelEndpoint endpoint) throws RefusedCall;

    /** Writes the bounds into the body so that each answer is charged for no more than this. */
    abstract void bound(CallBody body, ModelEndpoint endpoint, BodyEditor edits, long each)
            throws RefusedCall;

    /** How much dearer than the table's prices it is, in percent. */
    int percent(CallBody body) throws RefusedCall {
        return 100;
    }

    /** Whether what goes to the cache stays there for longer, at a higher price. */
    boolean keepsCacheLonger(CallBody body) {
        return false;
    }

    static void refuseIfThere(JsonNode object, String... names) throws RefusedCall {
        for (String name : names) {
            JsonNode value = object.path(name);
            boolean empty =
                    value.isMissingNode()
                            || value.isNull()
                            || (value.isBoolean() && !value.booleanValue())
                            || (value.isContainer() && value.isEmpty());
            if (!empty) {
                throw new RefusedCall(
                        "%s cannot be used here: what it costs is not in the request"
                                .formatted(name));
            }
        }
    }

    /**
     * Refuses a controlled name that is written in another way: some servers take it all the same,
     * and then nobody knows which one counts.
     */
    static void refuseOtherSpellings(JsonNode object, Set<String> controlled) throws RefusedCall {
        if (!object.isObject()) {
            return;
        }
        for (String name : object.propertyNames()) {
            for (String ours : controlled) {
                if (!name.equals(ours) && bare(name).equals(bare(ours))) {
                    throw new RefusedCall("%s has to be written %s".formatted(name, ours));
                }
            }
        }
    }

    private static String bare(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** A bound that was sent, lowered to what is possible; the model's own where none was. */
    static long wanted(JsonNode sent, ModelEndpoint endpoint) throws RefusedCall {
        if (sent.isMissingNode() || sent.isNull()) {
            return endpoint.maxOutputTokens();
        }
        if (!sent.isIntegralNumber() || sent.asDouble() < 1) {
            throw new RefusedCall("the bound of the output is not a whole number");
        }
        return (long) Math.min(sent.asDouble(), MOST_OUTPUT);
    }

    static long count(JsonNode sent, String name) throws RefusedCall {
        if (sent.isMissingNode() || sent.isNull()) {
            return 1;
        }
        if (!sent.isInt() || sent.intValue() < 1 || sent.intValue() > 64) {
            throw new RefusedCall("%s has to be a whole number from 1 to 64".formatted(name));
        }
        return sent.intValue();
    }

    static long least(long wanted) {
        return Math.min(UsageCeiling.LEAST_ANSWER, wanted);
    }

    /** A string that decides what something costs; empty for none. */
    static String word(JsonNode object, String name) throws RefusedCall {
        JsonNode value = object.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isString()) {
            throw new RefusedCall("%s has to be a string".formatted(name));
        }
        return value.stringValue();
    }

    static RefusedCall withoutPrice(String what) {
        return new RefusedCall(
                "%s cannot be used here: it has no price, so no spend limit can hold for it"
                        .formatted(what));
    }
}
