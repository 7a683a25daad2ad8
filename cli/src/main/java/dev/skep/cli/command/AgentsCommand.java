package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists agents and does things to them. */
@Command(
        name = "agents",
        mixinStandardHelpOptions = true,
        description = "Lists, creates, removes and controls agents.")
public final class AgentsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    public AgentsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return list(call);
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists agents.")
    int list(@Mixin RunnerCall own) {
        return new AgentPrinter(context, own).list();
    }

    @Command(
            name = "new",
            mixinStandardHelpOptions = true,
            description = {
                "Creates an agent: a file in the data dir's agents folder, or in that of another host.",
                "For another host give --host or --where, and the whole file with --file."
            })
    int create(
            @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "") String name,
            @Option(
                            names = "--runtime",
                            paramLabel = "RUNTIME",
                            defaultValue = "skep",
                            description =
                                    "What thinks for it: skep, our own loop, or one that 'skep runtimes' lists.")
                    String runtime,
            @Option(
                            names = "--model",
                            paramLabel = "MODEL",
                            defaultValue = "",
                            description =
                                    "As in models.yaml or the shipped table, or scripted:FILE; another runtime than skep may choose its own.")
                    String model,
            @Option(names = "--title", paramLabel = "TEXT", defaultValue = "") String title,
            @Option(names = "--prompt", paramLabel = "TEXT", defaultValue = "") String prompt,
            @Option(
                            names = "--lead",
                            paramLabel = "NAME",
                            defaultValue = "",
                            description = "The agent it works for.")
                    String lead,
            @Option(
                            names = "--where",
                            paramLabel = "TESTS",
                            defaultValue = "",
                            description =
                                    "Tests of labels that its host has to pass, such as gpu=a100,memory>=32; of those that do, the one with the fewest agents.")
                    String where,
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            defaultValue = "",
                            description = "The agent's file; - reads it from standard input.")
                    String file,
            @Mixin AgentFileCall call) {
        if (!file.isEmpty()) {
            return call.create(context, where, FileArgument.text(context, file));
        }
        if (name.isEmpty()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "a new agent needs a NAME, or its whole file by --file");
        }
        Map<String, String> body = new HashMap<>(Map.of("username", name));
        String other = runtime.equals("skep") ? "" : runtime;
        Map.of("title", title, "prompt", prompt, "lead", lead, "model", model, "runtime", other)
                .forEach(
                        (key, value) -> {
                            if (!value.isEmpty()) {
                                body.put(key, value);
                            }
                        });
        return call.createHere(context, where, body);
    }

    @Command(
            name = "edit",
            mixinStandardHelpOptions = true,
            description = {
                "Changes an agent's file in your editor, or to the text of another file.",
                "It applies to the agent's next start. If the file has changed meanwhile, nothing is overwritten."
            })
    int edit(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--file",
                            paramLabel = "FILE",
                            defaultValue = "",
                            description =
                                    "The new text; - reads it from standard input. Without it: VISUAL, EDITOR or vi.")
                    String file,
            @Option(
                            names = "--restart",
                            description = "Lets an agent at work begin anew with it at once.")
                    boolean restart,
            @Mixin AgentFileCall call) {
        if (!file.isEmpty()) {
            String text = FileArgument.text(context, file);
            return call.edit(context, name, restart, _ -> text);
        }
        Path draft = FileArgument.draft(name);
        TextEditor editor = new TextEditor(context);
        try {
            int status = call.edit(context, name, restart, before -> editor.edited(draft, before));
            FileArgument.discard(draft);
            return status;
        } catch (SkepException refused) {
            throw Files.exists(draft)
                    ? new SkepException(
                            refused.code(),
                            "%s; your text is in %s".formatted(refused.getMessage(), draft),
                            refused)
                    : refused;
        }
    }

    @Command(
            name = "versions",
            mixinStandardHelpOptions = true,
            description = "Lists the versions of an agent's file, or shows what changed.")
    int versions(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--diff",
                            arity = "2",
                            paramLabel = "VERSION",
                            description = "Prints what changed from one version to another.")
                    List<Long> diff,
            @Option(
                            names = "--show",
                            paramLabel = "VERSION",
                            defaultValue = "0",
                            description = "Prints the text of a version.")
                    long show,
            @Mixin AgentFileCall call) {
        if (diff != null && diff.size() == 2) {
            return call.diff(context, name, diff.get(0), diff.get(1));
        }
        return show > 0 ? call.show(context, name, show) : call.versions(context, name);
    }

    @Command(
            name = "rollback",
            mixinStandardHelpOptions = true,
            description = "Gives an agent's file the text of an older version, as a new version.")
    int rollBack(
            @Parameters(paramLabel = "NAME") String name,
            @Parameters(paramLabel = "VERSION") long number,
            @Option(
                            names = "--restart",
                            description = "Lets an agent at work begin anew with it at once.")
                    boolean restart,
            @Mixin AgentFileCall call) {
        return call.rollBack(context, name, number, restart);
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes an agent; its history stays readable.")
    int remove(
            @Parameters(paramLabel = "NAME") String name,
            @Option(
                            names = "--discard-work",
                            description =
                                    "Deletes its workspace even if that has work which its repository has not.")
                    boolean discardWork,
            @Mixin AgentFileCall call) {
        return call.remove(context, name, discardWork);
    }

    @Command(
            name = "diff",
            mixinStandardHelpOptions = true,
            description = {
                "Shows what an agent changed in its workspace, committed or not.",
                "Without a workspace: what is not committed in the repository that it works in."
            })
    int diff(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--patch", description = "Prints a patch that 'git apply' takes.")
                    boolean patch,
            @Option(
                            names = "--output",
                            paramLabel = "FILE",
                            defaultValue = "",
                            description = "Writes that patch to a file.")
                    String output,
            @Option(names = "--stat", description = "Prints only the files and their lines.")
                    boolean stat,
            @Mixin RunnerCall own) {
        return new WorkspacePrinter(context, own).diff(name, patch, output, stat);
    }

    @Command(
            name = "workspaces",
            mixinStandardHelpOptions = true,
            description = "Lists the folders of this host's agents with their sizes.")
    int workspaces(@Mixin RunnerCall own) {
        return new WorkspacePrinter(context, own).list();
    }

    @Command(
            name = "restore",
            mixinStandardHelpOptions = true,
            description = "Brings a removed agent back.")
    int restore(@Parameters(paramLabel = "NAME") String name, @Mixin RunnerCall own) {
        return act(own, name, "restore", Map.of());
    }

    @Command(
            name = "own",
            mixinStandardHelpOptions = true,
            description = {
                "Makes an agent that came from another host this host's own.",
                "From then on its file may use .env and every folder, and needs no hub's consent: read it first."
            })
    int own(@Parameters(paramLabel = "NAME") String name, @Mixin RunnerCall own) {
        return act(own, name, "own", Map.of());
    }

    @Command(
            name = "start",
            mixinStandardHelpOptions = true,
            description = "Starts an agent, optionally with a task, or many.")
    int start(
            @Parameters(paramLabel = "NAME", arity = "0..1") @Nullable String name,
            @Parameters(paramLabel = "TASK", arity = "0..*") List<String> task,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        if (name == null || many.isGiven()) {
            return act(own, many, name == null ? List.of() : List.of(name), "start");
        }
        return act(
                own,
                name,
                "start",
                task == null || task.isEmpty() ? Map.of() : Map.of("task", String.join(" ", task)));
    }

    @Command(
            name = "stop",
            mixinStandardHelpOptions = true,
            description = "Stops agents until they are started again.")
    int stop(
            @Parameters(paramLabel = "NAME", arity = "0..*") List<String> names,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        return act(own, many, names, "stop");
    }

    @Command(
            name = "pause",
            mixinStandardHelpOptions = true,
            description = "Pauses agents after their current step.")
    int pause(
            @Parameters(paramLabel = "NAME", arity = "0..*") List<String> names,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        return act(own, many, names, "pause");
    }

    @Command(
            name = "resume",
            mixinStandardHelpOptions = true,
            description = "Resumes paused agents.")
    int resume(
            @Parameters(paramLabel = "NAME", arity = "0..*") List<String> names,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        return act(own, many, names, "resume");
    }

    @Command(
            name = "cancel",
            mixinStandardHelpOptions = true,
            description = "Cancels what agents are doing and pauses them.")
    int cancel(
            @Parameters(paramLabel = "NAME", arity = "0..*") List<String> names,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        return act(own, many, names, "cancel");
    }

    @Command(
            name = "talk",
            mixinStandardHelpOptions = true,
            description = {
                "Sends a message to a running agent: its name, then the text.",
                "With --all or --host to many: only the text."
            })
    int talk(
            @Parameters(paramLabel = "NAME TEXT", arity = "1..*") List<String> words,
            @Mixin ManyAgentsFlags many,
            @Mixin RunnerCall own) {
        if (many.isGiven()) {
            return many.act(context, own, "talk", String.join(" ", words));
        }
        if (words.size() < 2) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "say what to tell %s".formatted(words.getFirst()));
        }
        return act(
                own,
                words.getFirst(),
                "talk",
                Map.of("text", String.join(" ", words.subList(1, words.size()))));
    }

    @Command(
            name = "stop-all",
            mixinStandardHelpOptions = true,
            description = {
                "Has all agents stand still: no model or tool call of theirs begins.",
                "Where a hub runs: those of the whole org, on hosts that are away when they are back. Else those of this host."
            })
    int stopAll(@Mixin StopAllFlags flags, @Mixin RunnerCall own) {
        return flags.run(context, own);
    }

    @Command(
            name = "reload",
            mixinStandardHelpOptions = true,
            description = "Reads the agents' files and models.yaml again.")
    int reload(@Mixin RunnerCall own) {
        return own.act(context, "/api/runner/reload", Map.of());
    }

    @Command(
            name = "check",
            mixinStandardHelpOptions = true,
            description = "Reports what is wrong with agents' files.")
    int check(@Mixin RunnerCall own) {
        return new AgentPrinter(context, own).check();
    }

    /** One as ever; several, or all that are meant, with an answer for each. */
    private int act(
            RunnerCall own, ManyAgentsFlags many, @Nullable List<String> names, String verb) {
        boolean named = names != null && !names.isEmpty();
        if (named == many.isGiven()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "name agents, or say --all or --host HOST: one of the two");
        }
        if (names == null || many.isGiven()) {
            return many.act(context, own, verb, "");
        }
        return names.size() == 1
                ? act(own, names.getFirst(), verb, Map.of())
                : many.act(context, own, verb, "", names);
    }

    private int act(RunnerCall own, String name, String verb, Map<String, ?> body) {
        return own.act(
                context, "/api/runner/agents/" + AdminFlags.encoded(name) + "/" + verb, body);
    }
}
