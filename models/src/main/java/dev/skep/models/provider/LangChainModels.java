package dev.skep.models.provider;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GeminiThinkingConfig;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiResponsesStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.skep.models.ModelSettings;
import dev.skep.models.ModelSettings.Reasoning;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** LangChain4j's model for one asking, with our settings in each provider's own terms. */
final class LangChainModels {
    /** Some builders insist on a key; it is not sent. */
    private static final String NO_KEY = "none";

    private LangChainModels() {}

    static StreamingChatModel open(
            ModelEndpoint endpoint,
            ModelSettings settings,
            OutputLimits limits,
            HttpClientBuilder http) {
        return switch (endpoint.dialect()) {
            case ANTHROPIC -> anthropic(endpoint, settings, limits, http);
            case OPENAI, OPENAI_COMPATIBLE -> openAi(endpoint, settings, limits, http);
            case OPENAI_RESPONSES -> responses(endpoint, settings, limits, http);
            case GOOGLE -> google(endpoint, settings, limits, http);
        };
    }

    private static StreamingChatModel anthropic(
            ModelEndpoint endpoint,
            ModelSettings settings,
            OutputLimits limits,
            HttpClientBuilder http) {
        var builder =
                AnthropicStreamingChatModel.builder()
                        .httpClientBuilder(http)
                        .baseUrl(endpoint.address())
                        .apiKey(key(endpoint))
                        .modelName(endpoint.model())
                        .maxTokens(limits.limit())
                        .cacheSystemMessages(settings.cachePrompt())
                        .cacheTools(settings.cachePrompt())
                        .returnThinking(true)
                        .sendThinking(true);
        switch (OutputLimits.style(endpoint, settings)) {
            // Thinking allows no temperature.
            case BUDGET -> builder.thinkingType("enabled").thinkingBudgetTokens(limits.thinking());
            case ADAPTIVE, EFFORT ->
                    builder.thinkingType("adaptive")
                            .customParameters(
                                    Map.of(
                                            "output_config",
                                            Map.of("effort", word(settings.reasoning()))));
            case NONE -> builder.temperature(temperature(endpoint, settings));
        }
        return builder.build();
    }

    private static StreamingChatModel openAi(
            ModelEndpoint endpoint,
            ModelSettings settings,
            OutputLimits limits,
            HttpClientBuilder http) {
        var builder =
                OpenAiStreamingChatModel.builder()
                        .httpClientBuilder(http)
                        .baseUrl(endpoint.address())
                        .apiKey(key(endpoint))
                        .modelName(endpoint.model())
                        .temperature(temperature(endpoint, settings))
                        .returnThinking(true)
                        .sendThinking(true);
        if (OutputLimits.style(endpoint, settings) != ModelEndpoint.ReasoningStyle.NONE) {
            builder.reasoningEffort(word(settings.reasoning()));
        }
        // OpenAI's newer models refuse the old name, others know only that.
        return endpoint.dialect() == ProviderProtocol.OPENAI
                ? builder.maxCompletionTokens(limits.limit()).build()
                : builder.maxTokens(limits.limit()).build();
    }

    /** Nothing is kept at the provider: each request holds all of its conversation. */
    private static StreamingChatModel responses(
            ModelEndpoint endpoint,
            ModelSettings settings,
            OutputLimits limits,
            HttpClientBuilder http) {
        var builder =
                OpenAiResponsesStreamingChatModel.builder()
                        .httpClientBuilder(http)
                        .baseUrl(endpoint.address())
                        .apiKey(key(endpoint))
                        .modelName(endpoint.model())
                        .temperature(temperature(endpoint, settings))
                        .maxOutputTokens(limits.limit())
                        .strictTools(false)
                        .store(false);
        if (endpoint.reasoning() != ModelEndpoint.ReasoningStyle.NONE) {
            // What it thought comes back encrypted, to be sent with the reply that grew from it.
            builder.include(List.of("reasoning.encrypted_content"));
        }
        if (OutputLimits.style(endpoint, settings) != ModelEndpoint.ReasoningStyle.NONE) {
            builder.reasoningEffort(word(settings.reasoning()));
        }
        return builder.build();
    }

    private static StreamingChatModel google(
            ModelEndpoint endpoint,
            ModelSettings settings,
            OutputLimits limits,
            HttpClientBuilder http) {
        var builder =
                GoogleAiGeminiStreamingChatModel.builder()
                        .httpClientBuilder(http)
                        .baseUrl(endpoint.address())
                        .apiKey(key(endpoint))
                        .modelName(endpoint.model())
                        .maxOutputTokens(limits.limit())
                        .returnThinking(true)
                        .sendThinking(true);
        if (temperature(endpoint, settings) != null) {
            builder.temperature(temperature(endpoint, settings));
        }
        switch (OutputLimits.style(endpoint, settings)) {
            case BUDGET ->
                    builder.thinkingConfig(
                            GeminiThinkingConfig.builder()
                                    .includeThoughts(true)
                                    .thinkingBudget(limits.thinking())
                                    .build());
            case EFFORT, ADAPTIVE ->
                    builder.thinkingConfig(
                            GeminiThinkingConfig.builder()
                                    .includeThoughts(true)
                                    .thinkingLevel(word(settings.reasoning()))
                                    .build());
            case NONE -> {}
        }
        return builder.build();
    }

    private static @Nullable Double temperature(ModelEndpoint endpoint, ModelSettings settings) {
        return endpoint.temperature() ? settings.temperature() : null;
    }

    private static String key(ModelEndpoint endpoint) {
        return endpoint.key() == null ? NO_KEY : endpoint.key();
    }

    private static String word(Reasoning reasoning) {
        return reasoning.name().toLowerCase(Locale.ROOT);
    }
}
