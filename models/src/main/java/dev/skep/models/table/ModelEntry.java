package dev.skep.models.table;

import dev.skep.models.DollarPrices;
import dev.skep.models.ModelCard;
import dev.skep.models.Prices;
import dev.skep.models.provider.ModelEndpoint;
import dev.skep.models.provider.ProviderProtocol;
import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.Description;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One model of the table, or with a name that ends in {@code /*} all models of one server. */
public record ModelEntry(
        @Description("what agents' files call it; 'server/*' stands for every model of a server")
                String name,
        @Description("the wire format") ProviderProtocol provider,
        @Description("which of OpenAI's two APIs; only for the provider openai") @DefaultsTo("chat")
                Api api,
        @Description("the provider's name of the model; the same as name if missing")
                @Nullable String model,
        @Description("base address; the provider's own if missing") @Nullable String url,
        @Description("the variable of .env that holds the key; 'none' for servers without keys")
                @Nullable String key,
        @Description("how many tokens one call may hold") long contextTokens,
        @Description("how many tokens one reply may hold") @DefaultsTo("8192") int maxOutputTokens,
        @Description(
                        "what it costs; if missing, nothing for a server without keys, and else unknown: agents with a spend limit cannot use it")
                @Nullable DollarPrices prices,
        @Description("whether it can call tools; if not, commands are taken from its text")
                @DefaultsTo("true")
                boolean tools,
        @Description("whether it can be shown images") @DefaultsTo("false") boolean images,
        @Description("how it is told to think") @DefaultsTo("none")
                ModelEndpoint.ReasoningStyle reasoning,
        @Description("whether it takes a temperature") @DefaultsTo("true") boolean temperature,
        @Description("how long nothing may arrive before a call is given up") @DefaultsTo("3m")
                Duration idle) {
    private static final String ANY = "/*";

    /** OpenAI's APIs. */
    public enum Api {
        CHAT,
        RESPONSES
    }

    public ModelEntry {
        if (name.isBlank() || name.startsWith("scripted:")) {
            throw new IllegalArgumentException("name: needs a name that is not 'scripted:…'");
        }
        if (api == Api.RESPONSES && provider != ProviderProtocol.OPENAI) {
            throw new IllegalArgumentException("api: responses is only for the provider openai");
        }
        if (contextTokens < 1 || maxOutputTokens < 1) {
            throw new IllegalArgumentException("context_tokens: token counts start at 1");
        }
        if (url == null && provider.address().isEmpty()) {
            throw new IllegalArgumentException(
                    "url: is missing; write the server's address, for example http://127.0.0.1:11434/v1");
        }
        if (url != null && !web(url)) {
            throw new IllegalArgumentException("url: '%s' is not an http address".formatted(url));
        }
        if (idle.isZero()) {
            throw new IllegalArgumentException("idle: needs to be longer than nothing");
        }
    }

    private static boolean web(String url) {
        try {
            URI address = URI.create(url);
            return address.getHost() != null
                    && address.getUserInfo() == null
                    && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    boolean names(String wanted) {
        return name.endsWith(ANY)
                ? wanted.length() >= name.length()
                        && wanted.startsWith(name.substring(0, name.length() - 1))
                : name.equals(wanted);
    }

    /** The variable that holds the key, or null where none is wanted. */
    @Nullable String keyVariable() {
        if (key != null) {
            return key.equals("none") ? null : key;
        }
        return switch (provider) {
            case ANTHROPIC -> "ANTHROPIC_API_KEY";
            case OPENAI, OPENAI_RESPONSES -> "OPENAI_API_KEY";
            case GOOGLE -> "GEMINI_API_KEY";
            case OPENAI_COMPATIBLE -> null;
        };
    }

    ModelCard card(String wanted) {
        return new ModelCard(
                wanted,
                provider.word(),
                contextTokens,
                prices == null ? Prices.FREE : prices.exact(),
                prices != null || keyVariable() == null,
                images);
    }

    ModelEndpoint endpoint(String wanted, @Nullable String secret) {
        String called =
                name.endsWith(ANY)
                        ? wanted.substring(name.length() - 1)
                        : model == null ? name : model;
        return new ModelEndpoint(
                api == Api.RESPONSES ? ProviderProtocol.OPENAI_RESPONSES : provider,
                called,
                url == null ? provider.address() : url,
                secret,
                tools,
                reasoning,
                temperature,
                maxOutputTokens,
                idle);
    }
}
