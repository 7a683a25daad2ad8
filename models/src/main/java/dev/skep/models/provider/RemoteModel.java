package dev.skep.models.provider;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.skep.models.CommandCall;
import dev.skep.models.ImageFile;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelReply.Failure;
import dev.skep.models.ModelReply.Stop;
import dev.skep.models.ModelRequest;
import dev.skep.models.Usage;
import dev.skep.models.UsageCeiling;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A model behind a provider's HTTP address. */
final class RemoteModel implements Model {
    private final ModelCard card;
    private final ModelEndpoint endpoint;
    private final HttpClient http;
    private final InstantSource clock;

    RemoteModel(ModelCard card, ModelEndpoint endpoint, HttpClient http, InstantSource clock) {
        this.card = card;
        this.endpoint = endpoint;
        this.http = http;
        this.clock = clock;
    }

    @Override
    public ModelCard card() {
        return card;
    }

    @Override
    public UsageCeiling demand(ModelRequest request) {
        OutputLimits limits = limits(request);
        var measured = new RequestMeasurer();
        try {
            LangChainModels.open(endpoint, request.settings(), limits, measured.builder())
                    .chat(
                            LangChainRequest.of(request, endpoint),
                            new ReplyCollector(ModelListener.SILENT));
        } catch (RuntimeException cannotBeAsked) {
            return UsageCeiling.ofText(
                    request); // asking fails in the same way, with words for people
        }
        // The bytes of an image are no text: it costs by its size in pixels.
        long bytes = measured.bytes();
        for (ImageFile image : request.images()) {
            bytes += ImageFile.MOST_TOKENS - image.base64Length();
        }
        return new UsageCeiling(Math.max(0, bytes), limits.charged(), limits.least());
    }

    private OutputLimits limits(ModelRequest request) {
        return OutputLimits.of(endpoint, request.settings(), request.outputAtMost());
    }

    @Override
    public ModelReply ask(ModelRequest request, ModelListener listener)
            throws InterruptedException {
        StreamInspector streamInspector = StreamInspector.of(endpoint.dialect());
        var call = new StreamCall(http, endpoint, streamInspector, clock);
        var gathered = new ReplyCollector(listener);
        try {
            LangChainModels.open(endpoint, request.settings(), limits(request), call.builder())
                    .chat(LangChainRequest.of(request, endpoint), gathered);
        } catch (RuntimeException e) {
            if (!call.sent()) {
                return failed(Failure.BAD_REQUEST, "cannot be asked: " + e, null, Usage.NONE);
            }
        }
        if (call.interrupted()) {
            throw new InterruptedException();
        }
        Usage usage = usage(request, streamInspector, call, gathered);
        ProviderError providerError = call.providerError();
        if (providerError != null) {
            return failed(providerError.failure(), providerError.words(), providerError, usage);
        }
        Optional<ChatResponse> response = gathered.response();
        if (response.isEmpty()) {
            return failed(Failure.MALFORMED, "sent a reply without content", null, usage);
        }
        return answered(request, response.get(), streamInspector, usage);
    }

    private ModelReply answered(
            ModelRequest request,
            ChatResponse response,
            StreamInspector streamInspector,
            Usage usage) {
        AiMessage message = response.aiMessage();
        String text = message.text() == null ? "" : message.text();
        Stop stop = stop(response, streamInspector);
        var commands = new ArrayList<CommandCall>();
        long turn =
                request.messages().stream().filter(ModelMessage.Replied.class::isInstance).count();
        if (endpoint.tools()) {
            for (ToolExecutionRequest wanted : message.toolExecutionRequests()) {
                String id = wanted.id() == null ? id(turn, commands.size()) : wanted.id();
                commands.add(ToolCallReader.read(id, wanted, stop, request.tools()));
            }
            if (commands.isEmpty() && streamInspector.unreadableCall()) {
                commands.add(ToolCallReader.unreadable(id(turn, 0)));
            }
        } else if (request.mayCommand()) {
            for (String command : FencedCommands.of(text)) {
                commands.add(new CommandCall(id(turn, commands.size()), command));
            }
        }
        return new ModelReply.Answered(
                text, List.copyOf(commands), SignedThinking.of(message), stop, usage);
    }

    private static String id(long turn, int index) {
        return "call-%d-%d".formatted(turn, index);
    }

    private static Stop stop(ChatResponse response, StreamInspector streamInspector) {
        if (streamInspector.refused() || response.finishReason() == FinishReason.CONTENT_FILTER) {
            return Stop.REFUSED;
        }
        return response.finishReason() == FinishReason.LENGTH ? Stop.OUTPUT_LIMIT : Stop.DONE;
    }

    /** What the provider counted; an estimate where it did not. */
    private static Usage usage(
            ModelRequest request,
            StreamInspector streamInspector,
            StreamCall call,
            ReplyCollector gathered) {
        if (!call.mayBeCharged()) {
            return Usage.NONE;
        }
        if (streamInspector.usage().prompt() > 0) {
            return streamInspector.ended()
                    ? streamInspector.usage()
                    : streamInspector.usage().atLeast();
        }
        return new Usage(
                        LangChainRequest.estimate(request),
                        Math.ceilDiv(gathered.characters(), 4),
                        0,
                        0)
                .atLeast();
    }

    private ModelReply failed(
            Failure failure, String words, @Nullable ProviderError providerError, Usage usage) {
        String shown = endpoint.key() == null ? words : words.replace(endpoint.key(), "***");
        return new ModelReply.Failed(
                failure,
                "%s (%s): %s".formatted(card.name(), endpoint.dialect().word(), shown),
                providerError == null ? null : providerError.retryAfter(),
                usage);
    }
}
