package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.List;

/** How a wire writes a reply. */
abstract class WireEvents {
    static WireEvents of(FakeWire wire) {
        return switch (wire) {
            case ANTHROPIC -> new AnthropicEvents();
            case CHAT -> new ChatEvents();
            case RESPONSES -> new ResponsesEvents();
            case GOOGLE -> new GoogleEvents();
        };
    }

    /** For a call that does not stream. */
    abstract String whole(ProviderCall call, ProviderAnswer.Reply reply);

    /** Up to the end of the text, without what ends the reply. */
    abstract List<String> beginning(ProviderCall call, ProviderAnswer.Reply reply);

    abstract List<String> ending(ProviderCall call, ProviderAnswer.Reply reply);

    final List<String> all(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> all = new ArrayList<>(beginning(call, reply));
        all.addAll(ending(call, reply));
        return all;
    }

    /** In pieces as models write them. */
    static List<String> pieces(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("(?<=\\s)(?=\\S)"));
    }

    static String quote(String plain) {
        return JsonText.quote(plain);
    }

    static String id(String kind, int place) {
        return "%s_%d_%d".formatted(kind, System.nanoTime(), place);
    }

    static String event(String name, String json) {
        return "event: %s\ndata: %s\n\n".formatted(name, json);
    }

    static String data(String json) {
        return "data: %s\n\n".formatted(json);
    }
}
