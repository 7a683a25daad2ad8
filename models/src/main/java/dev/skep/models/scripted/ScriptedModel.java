package dev.skep.models.scripted;

import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** A model that replies as its script says. */
public final class ScriptedModel implements Model {
    private final ModelCard card;
    private final ModelScript script;
    private final AtomicIntegerArray failures;

    public ScriptedModel(String name, ModelScript script) {
        this.script = script;
        this.failures = new AtomicIntegerArray(script.steps().size());
        this.card =
                new ModelCard(
                        name,
                        "scripted",
                        script.contextTokens(),
                        script.prices() == null ? Prices.FREE : script.prices().exact());
    }

    /** Reads a script; {@code name} is what agents' files call the model. */
    public static BindingResult<ScriptedModel> read(String name, Path file) {
        return switch (YamlBinder.read(file, ModelScript.class)) {
            case BindingResult.Value<ModelScript>(ModelScript script) ->
                    new BindingResult.Value<>(new ScriptedModel(name, script));
            case BindingResult.Problems<ModelScript> wrong ->
                    new BindingResult.Problems<>(wrong.problems());
        };
    }

    @Override
    public ModelCard card() {
        return card;
    }

    @Override
    public ModelReply ask(ModelRequest request, ModelListener listener)
            throws InterruptedException {
        var scriptContext = new ScriptContext(request);
        for (int i = 0; i < script.steps().size(); i++) {
            ModelScript.Step step = script.steps().get(i);
            if (!scriptContext.holds(step.when())) {
                continue;
            }
            if (step.fail() == null) {
                return reply(step, scriptContext, request.mayCommand(), listener);
            }
            int times = step.fail().times();
            if (times == 0 || failures.getAndIncrement(i) < times) {
                Thread.sleep(step.delay());
                return new ModelReply.Failed(
                        step.fail().as(),
                        "%s: step %d fails on purpose".formatted(card.name(), i + 1),
                        step.fail().retryAfter(),
                        usage(step, Usage.NONE));
            }
        }
        return new ModelReply.Answered(
                "My script has no step for this.",
                List.of(),
                null,
                ModelReply.Stop.DONE,
                new Usage(scriptContext.inputTokens(), 8, 0, 0));
    }

    private static ModelReply reply(
            ModelScript.Step step,
            ScriptContext scriptContext,
            boolean mayCommand,
            ModelListener listener)
            throws InterruptedException {
        Thread.sleep(step.delay());
        String text = scriptContext.filled(step.say(), step.when());
        if (!text.isEmpty()) {
            listener.onText(text);
        }
        long characters = text.length();
        var commands = new ArrayList<CommandCall>();
        for (String template : mayCommand ? step.run() : List.<String>of()) {
            String command = scriptContext.filled(template, step.when());
            characters += command.length();
            commands.add(
                    new CommandCall(
                            "call-%d-%d".formatted(scriptContext.turn(), commands.size()),
                            command));
        }
        Usage counted = new Usage(scriptContext.inputTokens(), Math.ceilDiv(characters, 4), 0, 0);
        return new ModelReply.Answered(text, commands, null, step.stop(), usage(step, counted));
    }

    private static Usage usage(ModelScript.Step step, Usage counted) {
        ModelScript.PretendUsage pretend = step.usage();
        return pretend == null
                ? counted
                : new Usage(
                        pretend.input(),
                        pretend.output(),
                        pretend.cacheRead(),
                        pretend.cacheWrite());
    }
}
