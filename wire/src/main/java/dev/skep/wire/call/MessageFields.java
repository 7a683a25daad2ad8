package dev.skep.wire.call;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The fields of a JSON object, as calls and answers are read from them. A missing or misshapen
 * field is refused by its name. The transport parses the JSON.
 */
public interface MessageFields {
    /** Whether the field is there, even as null. */
    boolean has(String name);

    /** Refuses fields of other names, so that a typing error is not ignored. */
    MessageFields only(String... names);

    String text(String name);

    Optional<String> optionalText(String name);

    /** A text that may be longer than others. */
    String longText(String name, int longest);

    long number(String name);

    Optional<Long> optionalNumber(String name);

    /** The texts of an array of texts. */
    List<String> textList(String name);

    /** All fields, each of which must be a text. */
    Map<String, String> texts();

    /** An object within this one; empty where it is missing or null. */
    Optional<? extends MessageFields> object(String name);

    /** The objects of an array of objects. */
    List<? extends MessageFields> list(String name);

    /** The JSON of a field, for what is passed on as it came. */
    Optional<String> json(String name);
}
