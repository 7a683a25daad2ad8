package dev.skep.runner.runtime;

import dev.skep.kernel.error.SkepException;
import dev.skep.shell.ProgramSettings;
import dev.skep.shell.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Starts runtimes behind the wall, each in the home that its agent has for it. Thread-safe. */
public final class RuntimeLauncher {
    private static final String OWN_MACHINE = "127.0.0.1,localhost";

    private final Programs programs;
    private final RuntimeProgramFinder installed;
    private final Path dataDir;
    private final RandomGenerator random;

    /**
     * @param path where programs are looked for, as the runner's PATH
     * @param random must be unpredictable
     */
    public RuntimeLauncher(Programs programs, String path, Path dataDir, RandomGenerator random) {
        this.programs = programs;
        this.installed = new RuntimeProgramFinder(programs::obstacle, path);
        this.dataDir = dataDir.toAbsolutePath().normalize();
        this.random = random;
    }

    /** The home of an agent's runtimes. No agent has a name that begins with a dot. */
    public Path home(String agent) {
        return homes().resolve(agent);
    }

    private Path homes() {
        return dataDir.resolve("work").resolve(".runtimes");
    }

    /** Whether a runtime could be started here, and if not, why. */
    public RuntimeProgramFinder.Lookup find(RuntimeDefinition definition) {
        return installed.find(definition);
    }

    /** Ends what an earlier runner left; to be called before the first start. */
    public void endLeftovers() {
        programs.endLeftovers(homes());
    }

    /** Starts one. It takes a while until it answers; one that dies at once is not noticed here. */
    public RuntimeProcess start(RuntimeLaunchSpec launch) throws RuntimeStartException {
        ProgramSettings settings = settings(launch);
        try {
            return new RuntimeProcess(programs.start(settings), settings.home());
        } catch (IOException | SkepException e) {
            throw new RuntimeStartException(
                    "runtime %s of %s cannot be started: %s"
                            .formatted(launch.definition().name(), launch.agent(), e.getMessage()),
                    e);
        }
    }

    /**
     * Runs the runtime's own sign-in at this process's terminal, in the agent's home and behind its
     * wall.
     *
     * @param terminal the kind of terminal, as in TERM
     * @return its status
     */
    public int login(RuntimeLaunchSpec launch, String terminal)
            throws RuntimeStartException, InterruptedException {
        RuntimeDefinition definition = launch.definition();
        if (definition.login().isEmpty()) {
            throw new RuntimeStartException(
                    "runtime %s has no sign-in of its own; use auth: gateway"
                            .formatted(definition.name()));
        }
        String word = definition.login().getFirst();
        Path program =
                installed
                        .search(word)
                        .orElseThrow(
                                () ->
                                        new RuntimeStartException(
                                                "runtime %s: its sign-in needs the program %s; run: %s"
                                                        .formatted(
                                                                definition.name(),
                                                                word,
                                                                definition.install())));
        Map<String, String> environment = new HashMap<>(launch.environment());
        environment.put("TERM", terminal);
        RuntimeLaunchSpec signIn =
                new RuntimeLaunchSpec(
                        definition,
                        launch.agent(),
                        launch.own(),
                        launch.folder(),
                        environment,
                        null,
                        launch.model(),
                        launch.asking(),
                        launch.kept());
        try {
            return programs.runInteractively(settings(signIn, words(program, definition.login())));
        } catch (IOException | SkepException e) {
            throw new RuntimeStartException(
                    "the sign-in of %s cannot be started: %s"
                            .formatted(definition.name(), e.getMessage()),
                    e);
        }
    }

    private ProgramSettings settings(RuntimeLaunchSpec launch) throws RuntimeStartException {
        return switch (installed.find(launch.definition())) {
            case RuntimeProgramFinder.Lookup.Missing(String why) ->
                    throw new RuntimeStartException(why);
            case RuntimeProgramFinder.Lookup.Found(Path program) ->
                    settings(launch, words(program, launch.definition().command()));
        };
    }

    private static List<String> words(Path program, List<String> command) {
        var words = new ArrayList<>(command);
        words.set(0, program.toString());
        return words;
    }

    private ProgramSettings settings(RuntimeLaunchSpec launch, List<String> words)
            throws RuntimeStartException {
        RuntimeDefinition definition = launch.definition();
        Path home = home(launch.agent());
        RuntimePlaceholders places = places(launch, home);
        boolean gateway = launch.gateway() != null;
        var texts = new HashMap<>(definition.files());
        texts.putAll(gateway ? definition.gatewayFiles() : definition.loginFiles());
        var files = new HashMap<String, String>();
        for (var each : texts.entrySet()) {
            Optional<String> missing = places.missing(each.getValue());
            if (missing.isPresent()) {
                throw new RuntimeStartException(
                        "runtime %s of %s needs a model; add model: to its file"
                                .formatted(definition.name(), launch.agent()));
            }
            places.in(each.getValue()).ifPresent(text -> files.put(each.getKey(), text));
        }
        var environment = new HashMap<>(launch.environment());
        var variables = new HashMap<>(definition.env());
        variables.putAll(gateway ? definition.gatewayEnv() : definition.loginEnv());
        variables.forEach(
                (name, text) -> places.in(text).ifPresent(value -> environment.put(name, value)));
        for (String name : List.of("NO_PROXY", "no_proxy")) {
            environment.merge(name, OWN_MACHINE, (own, ours) -> own + "," + ours);
        }
        return new ProgramSettings(
                launch.agent(),
                launch.own(),
                home,
                launch.folder(),
                words,
                files,
                environment,
                List.of(dataDir),
                launch.kept());
    }

    private RuntimePlaceholders places(RuntimeLaunchSpec launch, Path home) {
        Map<String, String> values = new HashMap<>();
        values.put(RuntimePlaceholders.HOME, home.toString());
        values.put(RuntimePlaceholders.PERMISSION, launch.asking() ? "ask" : "allow");
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        values.put(RuntimePlaceholders.RANDOM, HexFormat.of().formatHex(bytes));
        RuntimeModel model = launch.model();
        if (model != null) {
            values.put(RuntimePlaceholders.MODEL, model.name());
            values.put(RuntimePlaceholders.CONTEXT, "" + model.contextTokens());
            values.put(RuntimePlaceholders.OUTPUT, "" + model.outputTokens());
        }
        GatewayAccess gateway = launch.gateway();
        if (gateway != null) {
            values.put(
                    RuntimePlaceholders.URL,
                    gateway.address() + "/gateway/" + launch.definition().wire().word());
            values.put(RuntimePlaceholders.TOKEN, gateway.token());
            values.put(RuntimePlaceholders.TOOLS, gateway.address() + "/tools");
        }
        return new RuntimePlaceholders(values);
    }
}
