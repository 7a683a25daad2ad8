package dev.skep.cli.command;

import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.io.PrintWriter;
import java.util.function.Consumer;

/** Pieces of what a run printed, each to the stream it was meant for. */
final class JobOutput implements Consumer<Answer> {
    private final CommandContext context;
    private final boolean terminal = CommandContext.interactive();

    JobOutput(CommandContext context) {
        this.context = context;
    }

    @Override
    public void accept(Answer answer) {
        answer.fields().list("chunks").forEach(this::print);
    }

    private void print(JsonFields chunk) {
        PrintWriter to = chunk.shown("stream").equals("stderr") ? context.err() : context.out();
        String text = chunk.shown("text");
        // At a terminal another machine's output must not steer it; a pipe gets it as it is.
        to.print(terminal ? text.replaceAll("[\\p{Cc}&&[^\\n\\r\\t]]", "\ufffd") : text);
        to.flush();
    }
}
