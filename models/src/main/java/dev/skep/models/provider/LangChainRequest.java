package dev.skep.models.provider;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.skep.models.CommandCall;
import dev.skep.models.ImageFile;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelRequest;
import dev.skep.models.ToolOffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** A request in LangChain4j's terms. */
final class LangChainRequest {
    private static final JsonMapper JSON = JsonMapper.shared();

    private static final ToolSpecification RUN =
            ToolSpecification.builder()
                    .name(ToolCallReader.TOOL)
                    .description(
                            "Runs one command line in your shell, or one of the built-in commands,"
                                    + " and returns what it prints.")
                    .parameters(
                            JsonObjectSchema.builder()
                                    .addStringProperty(ToolCallReader.ARGUMENT, "the command line")
                                    .required(ToolCallReader.ARGUMENT)
                                    .build())
                    .build();

    /** LangChain4j's attribute for: cache up to and including this message. */
    private static final Map<String, Object> CACHED = Map.of("cache_control", "ephemeral");

    private final ModelRequest request;
    private final boolean tools;
    private final boolean markLast;
    private final List<ToolSpecification> specifications;

    /** Some providers want the name of a tool with what it answered. */
    private final Map<String, String> toolOfCall = new HashMap<>();

    private LangChainRequest(ModelRequest request, ModelEndpoint endpoint) {
        this.request = request;
        this.tools = endpoint.tools();
        this.markLast =
                request.settings().cachePrompt()
                        && endpoint.dialect() == ProviderProtocol.ANTHROPIC;
        this.specifications = new ArrayList<>(List.of(RUN));
        request.tools().stream()
                .map(offer -> ToolSchema.specification(offer, endpoint.dialect()))
                .forEach(specifications::add);
    }

    static ChatRequest of(ModelRequest request, ModelEndpoint endpoint) {
        return new LangChainRequest(request, endpoint).build();
    }

    private ChatRequest build() {
        var messages = new ArrayList<ChatMessage>();
        String system =
                tools ? request.system() : request.system() + FencedCommands.howTo(request.tools());
        messages.add(SystemMessage.from(system));
        int last = request.messages().size() - 1;
        for (int i = 0; i <= last; i++) {
            messages.add(message(request.messages().get(i), markLast && i == last));
        }
        var builder = ChatRequest.builder().messages(messages);
        if (tools) {
            // Sent even when no command may be called: a conversation that contains calls needs it.
            builder.toolSpecifications(specifications)
                    .toolChoice(request.mayCommand() ? ToolChoice.AUTO : ToolChoice.NONE);
        }
        return builder.build();
    }

    private ChatMessage message(ModelMessage message, boolean cached) {
        return switch (message) {
            case ModelMessage.Said said -> said(said, cached);
            case ModelMessage.Replied replied -> reply(replied);
            case ModelMessage.Output output ->
                    tools
                            ? result(output, cached)
                            : said(new ModelMessage.Said("Output:\n" + output.text()), cached);
        };
    }

    private static ChatMessage said(ModelMessage.Said said, boolean cached) {
        var builder = UserMessage.builder();
        List<Content> images = new ArrayList<>();
        for (ImageFile image : said.images()) {
            images.add(TextContent.from("The image " + image.name() + ":"));
            images.add(
                    image.base64()
                            .<Content>map(data -> ImageContent.from(data, image.mimeType()))
                            .orElseGet(() -> TextContent.from("(it is no longer kept)")));
        }
        images.forEach(builder::addContent);
        return builder.addContent(TextContent.from(said.text().isBlank() ? "(empty)" : said.text()))
                .attributes(cached ? CACHED : Map.of())
                .build();
    }

    private ChatMessage result(ModelMessage.Output output, boolean cached) {
        return ToolExecutionResultMessage.builder()
                .id(output.callId())
                .toolName(toolOfCall.getOrDefault(output.callId(), ToolCallReader.TOOL))
                .text(output.text().isBlank() ? "(no output)" : output.text())
                .attributes(cached ? CACHED : Map.of())
                .build();
    }

    private ChatMessage reply(ModelMessage.Replied replied) {
        var builder = AiMessage.builder();
        boolean calls = tools && !replied.commands().isEmpty();
        if (!replied.text().isBlank() || !calls) {
            builder.text(replied.text().isBlank() ? "(no words)" : replied.text());
        }
        if (calls) {
            builder.toolExecutionRequests(replied.commands().stream().map(this::call).toList());
        }
        if (replied.thinking() != null) {
            SignedThinking.restore(replied.thinking(), builder);
        }
        return builder.build();
    }

    /** As it was called, or as the command line that it is where that tool is offered no more. */
    private ToolExecutionRequest call(CommandCall call) {
        for (ToolOffer offer : request.tools()) {
            String arguments = call.problem() == null ? offer.arguments(call.command()) : null;
            if (arguments != null && ToolCallReader.isObject(arguments)) {
                toolOfCall.put(call.id(), offer.name());
                return ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(offer.name())
                        .arguments(arguments)
                        .build();
            }
        }
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(ToolCallReader.TOOL)
                .arguments(JSON.writeValueAsString(Map.of(ToolCallReader.ARGUMENT, call.command())))
                .build();
    }

    /** Four characters a token, for what a provider did not count. */
    static long estimate(ModelRequest request) {
        long characters = request.system().length();
        for (ToolOffer tool : request.tools()) {
            characters += tool.description().length() + tool.schema().length();
        }
        for (ModelMessage message : request.messages()) {
            characters +=
                    switch (message) {
                        case ModelMessage.Said said ->
                                said.text().length()
                                        + 4 * ImageFile.USUAL_TOKENS * said.images().size();
                        case ModelMessage.Output output -> output.text().length();
                        case ModelMessage.Replied replied ->
                                replied.text().length() + commands(replied.commands());
                    };
        }
        return Math.ceilDiv(characters, 4);
    }

    private static long commands(List<CommandCall> calls) {
        return calls.stream().mapToLong(call -> call.command().length()).sum();
    }
}
