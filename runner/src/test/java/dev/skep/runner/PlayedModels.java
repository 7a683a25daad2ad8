package dev.skep.runner;

import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Models;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Models whose replies the test writes, as a function of what they are asked. */
public final class PlayedModels implements Models {
    /** How one model answers. */
    public interface Play {
        ModelReply reply(ModelRequest request) throws InterruptedException;
    }

    private final Map<String, Play> plays = new HashMap<>();
    private final Map<String, Prices> prices = new HashMap<>();
    private final Set<String> unpriced = ConcurrentHashMap.newKeySet();
    private final Set<String> seeing = ConcurrentHashMap.newKeySet();
    public final List<ModelRequest> requests = new CopyOnWriteArrayList<>();

    public PlayedModels model(String name, Play play) {
        return model(name, Prices.FREE, play);
    }

    public PlayedModels model(String name, Prices price, Play play) {
        plays.put(name, play);
        prices.put(name, price);
        return this;
    }

    /** Nobody knows what the model costs from now on. */
    public PlayedModels unpriced(String name) {
        unpriced.add(name);
        return this;
    }

    /** The model can be shown images. */
    public PlayedModels seeing(String name) {
        seeing.add(name);
        return this;
    }

    /** Answers with these commands, one reply after the other, then waits for ever. */
    @SafeVarargs
    public static Play commands(List<String>... turns) {
        return request -> {
            int turn = replies(request);
            return answer(turn < turns.length ? turns[turn] : List.of("session wait"));
        };
    }

    public static ModelReply answer(List<String> commands) {
        return answer(commands, new Usage(100, 10, 0, 0));
    }

    public static ModelReply answer(List<String> commands, Usage usage) {
        List<CommandCall> calls = new ArrayList<>();
        commands.forEach(command -> calls.add(new CommandCall("call-" + calls.size(), command)));
        return new ModelReply.Answered("", calls, null, ModelReply.Stop.DONE, usage);
    }

    public static ModelReply says(String text) {
        return new ModelReply.Answered(
                text, List.of(), null, ModelReply.Stop.DONE, new Usage(100, 10, 0, 0));
    }

    public static int replies(ModelRequest request) {
        return (int)
                request.messages().stream().filter(m -> m instanceof ModelMessage.Replied).count();
    }

    /** Everything the model sees, as one text. */
    public static String sight(ModelRequest request) {
        StringBuilder text = new StringBuilder();
        for (ModelMessage message : request.messages()) {
            text.append(
                            switch (message) {
                                case ModelMessage.Said(var said, var images) ->
                                        said + (images.isEmpty() ? "" : " images " + images);
                                case ModelMessage.Replied reply ->
                                        "reply " + reply.text() + reply.commands();
                                case ModelMessage.Output(_, var output) -> "output " + output;
                            })
                    .append('\n');
        }
        return text.toString();
    }

    @Override
    public List<ModelCard> cards() {
        return plays.keySet().stream().map(this::card).toList();
    }

    private ModelCard card(String name) {
        return new ModelCard(
                name,
                "test",
                100_000,
                prices.getOrDefault(name, Prices.FREE),
                !unpriced.contains(name),
                seeing.contains(name));
    }

    @Override
    public Opening open(String name, Path folder) {
        Play play = plays.get(name);
        if (play == null) {
            return new Opening.Refused("there is no model '%s'".formatted(name));
        }
        return new Opening.Ready(
                new Model() {
                    @Override
                    public ModelCard card() {
                        return PlayedModels.this.card(name);
                    }

                    @Override
                    public ModelReply ask(ModelRequest request, ModelListener listener)
                            throws InterruptedException {
                        requests.add(request);
                        return play.reply(request);
                    }
                });
    }

    @Override
    public void close() {}
}
