package dev.skep.models.provider;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.skep.models.ModelListener;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects a reply as it arrives; the {@link StreamCall} knows why one fails. */
final class ReplyCollector implements StreamingChatResponseHandler {
    private final ModelListener listener;
    private @Nullable ChatResponse response;
    private long characters;

    ReplyCollector(ModelListener listener) {
        this.listener = listener;
    }

    Optional<ChatResponse> response() {
        return Optional.ofNullable(response);
    }

    /** How much was written, thinking included, even if it came to nothing. */
    long characters() {
        return characters;
    }

    @Override
    public void onPartialResponse(String piece) {
        characters += piece.length();
        listener.onText(piece);
    }

    @Override
    public void onPartialThinking(PartialThinking piece) {
        characters += piece.text().length();
    }

    @Override
    public void onPartialToolCall(PartialToolCall piece) {
        characters += piece.partialArguments().length();
    }

    @Override
    public void onCompleteResponse(ChatResponse whole) {
        response = whole;
    }

    @Override
    public void onError(Throwable failure) {}
}
