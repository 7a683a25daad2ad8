package dev.skep.runner.loop;

import dev.skep.agents.session.LogEntry;
import dev.skep.models.CommandCall;
import dev.skep.models.ImageFile;
import dev.skep.models.ModelMessage;
import dev.skep.models.Thinking;
import dev.skep.models.money.CountedPrompt;
import dev.skep.runner.files.ImageStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model sees of a session: a fold over its log, the same live and after a restart. A call's
 * id is its log entry's. Not thread-safe.
 */
final class Conversation {
    /** A token is about so many characters; used only until a provider has counted. */
    private static final int CHARS_PER_TOKEN = 4;

    /** After a restart only this is known of it. */
    private static final String WRONG_CALL = "this call could not be run";

    /** Of one conversation: what every provider takes in one request. */
    private static final int MOST_IMAGES = 20;

    private static final long MOST_IMAGE_BYTES = 12L << 20;

    private final ImageStore store;
    private final boolean commandsAsText;
    private final List<ModelMessage> messages = new ArrayList<>();
    private final Deque<CommandCall> unanswered = new ArrayDeque<>();

    /** What the next message shows: the outputs of one reply have to stand together. */
    private final List<ImageFile> toShow = new ArrayList<>();

    private long counted;
    private long charsSince;

    private Conversation(ImageStore store, boolean commandsAsText) {
        this.store = store;
        this.commandsAsText = commandsAsText;
    }

    static Conversation empty(ImageStore store) {
        return new Conversation(store, false);
    }

    /**
     * A session's conversation up to here.
     *
     * @param commandsAsText for a model that signs its reasoning: the signatures are gone, and its
     *     provider refuses commands without them
     * @param counted what the provider counted last, wherever in the log that was
     */
    static Conversation of(
            List<LogEntry> log,
            ImageStore store,
            boolean commandsAsText,
            @Nullable CountedPrompt counted) {
        Conversation conversation = new Conversation(store, commandsAsText);
        for (LogEntry entry : log) {
            conversation.add(entry);
            if (counted != null && entry.id().equals(counted.logId())) {
                conversation.counted(counted.contextTokens());
            }
        }
        return conversation;
    }

    void add(LogEntry entry) {
        charsSince += entry.message().length();
        switch (entry.type()) {
            case PROMPT, TALK -> say(entry.message());
            case SUMMARY -> say("Summary of your session so far:\n" + entry.message());
            case REPLY -> messages.add(new ModelMessage.Replied(entry.message(), List.of(), null));
            case COMMAND -> call(command(entry));
            case OUTPUT -> {
                String unseen = store.of(entry).map(this::show).orElse("");
                output(entry.message() + unseen);
            }
            case INSTRUCTIONS,
                    NOTICE,
                    DECISION,
                    ERROR,
                    THOUGHT,
                    TOOL_CALL,
                    TOOL_RESULT,
                    PLAN,
                    TURN_END ->
                    charsSince -= entry.message().length();
        }
    }

    private static CommandCall command(LogEntry entry) {
        return new CommandCall(
                entry.id(), entry.message(), LogEntryDraft.isWrongCall(entry) ? WRONG_CALL : null);
    }

    private void say(String text) {
        say(messages, text);
        toShow.clear();
    }

    private void say(List<ModelMessage> to, String text) {
        if (!to.isEmpty() && to.getLast() instanceof ModelMessage.Said(var before, var shown)) {
            List<ImageFile> all = new ArrayList<>(shown);
            all.addAll(toShow);
            to.set(to.size() - 1, new ModelMessage.Said(before + "\n\n" + text, all));
        } else {
            to.add(new ModelMessage.Said(text, toShow));
        }
    }

    /** What the model is told if it cannot see this one too. */
    private String show(ImageFile image) {
        List<ImageFile> all = new ArrayList<>(toShow);
        for (ModelMessage message : messages) {
            if (message instanceof ModelMessage.Said said) {
                all.addAll(said.images());
            }
        }
        long bytes = all.stream().mapToLong(ImageFile::bytes).sum();
        if (all.size() == MOST_IMAGES || bytes + image.bytes() > MOST_IMAGE_BYTES) {
            return " (Not shown: your context holds %d images already; 'session compact' forgets them.)"
                    .formatted(all.size());
        }
        charsSince += ImageFile.USUAL_TOKENS * CHARS_PER_TOKEN;
        toShow.add(image);
        return "";
    }

    private void call(CommandCall call) {
        unanswered.add(call);
        if (messages.isEmpty() || !(messages.getLast() instanceof ModelMessage.Replied reply)) {
            return; // a start command, which no model asked for
        }
        List<CommandCall> calls = new ArrayList<>(reply.commands());
        String text = reply.text();
        if (commandsAsText) {
            text = text + "\n$ " + call.command();
        } else {
            calls.add(call);
        }
        messages.set(messages.size() - 1, new ModelMessage.Replied(text, calls, reply.thinking()));
    }

    private void output(String text) {
        CommandCall call = unanswered.poll();
        if (call == null) {
            say(text);
        } else if (commandsAsText || !isOfReply(call)) {
            say("$ " + call.command() + "\n" + text);
        } else {
            messages.add(new ModelMessage.Output(call.id(), text));
        }
    }

    private boolean isOfReply(CommandCall call) {
        for (ModelMessage message : messages.reversed()) {
            if (message instanceof ModelMessage.Replied reply) {
                return reply.commands().contains(call);
            }
        }
        return false;
    }

    /** The last reply's reasoning, to be handed back while the process lives. */
    void remember(@Nullable Thinking thinking) {
        for (int i = messages.size() - 1; i >= 0 && thinking != null; i--) {
            if (messages.get(i) instanceof ModelMessage.Replied(var text, var calls, _)) {
                messages.set(i, new ModelMessage.Replied(text, calls, thinking));
                return;
            }
        }
    }

    /** What the provider counted for everything so far. */
    void counted(long tokens) {
        counted = tokens;
        charsSince = 0;
    }

    /** About how many tokens the next call will hold. */
    long tokens() {
        return counted + charsSince / CHARS_PER_TOKEN;
    }

    /** Commands whose output is not known. */
    List<CommandCall> unanswered() {
        return List.copyOf(unanswered);
    }

    /** The same, just called: with what is wrong with each as the model is to hear it. */
    List<CommandCall> unanswered(List<CommandCall> called) {
        List<CommandCall> calls = new ArrayList<>();
        for (CommandCall call : unanswered) {
            String problem = called.get(calls.size()).problem();
            calls.add(new CommandCall(call.id(), call.command(), problem));
        }
        return calls;
    }

    /** The messages, with the turn's prompt as the last. */
    List<ModelMessage> messagesWith(String prompt) {
        List<ModelMessage> all = new ArrayList<>(messages);
        say(all, prompt);
        return all;
    }

    /** Forgets the older half, for a context that not even a summary can be made of. */
    void forgetOlderHalf() {
        int keepFrom = messages.size() / 2;
        while (keepFrom < messages.size()
                && !(messages.get(keepFrom) instanceof ModelMessage.Said)) {
            keepFrom++;
        }
        messages.subList(0, keepFrom).clear();
        counted /= 2;
    }
}
