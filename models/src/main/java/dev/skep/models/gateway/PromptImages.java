package dev.skep.models.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The images of a prompt, by the entry of the conversation that they are in: their bytes are no
 * text, and each counts as a fixed number of tokens.
 */
final class PromptImages {
    private static final Pattern DATA = Pattern.compile("data:image/[a-z0-9.+-]+;base64,");

    private record Image(int entry, long bytes) {}

    private final List<Image> images = new ArrayList<>();
    private int entry;

    /** What is added from now on is in this entry of the conversation. */
    void at(int place) {
        entry = place;
    }

    void add(String base64) {
        images.add(new Image(entry, base64.length()));
    }

    /** An image written into its own address; any other address is refused. */
    void addAddress(String url) throws RefusedCall {
        Matcher data = DATA.matcher(url.length() > 100 ? url.substring(0, 100) : url);
        if (!data.lookingAt()) {
            throw new RefusedCall(
                    "images have to be in the request itself, not behind an address or an id");
        }
        images.add(new Image(entry, url.length() - data.end()));
    }

    int from(int first) {
        return (int) images.stream().filter(image -> image.entry() >= first).count();
    }

    long bytesFrom(int first) {
        return images.stream()
                .filter(image -> image.entry() >= first)
                .mapToLong(Image::bytes)
                .sum();
    }
}
