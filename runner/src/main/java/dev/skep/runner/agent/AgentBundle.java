package dev.skep.runner.agent;

import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An agent's file and the script it plays as one text, so that both go along when another host
 * takes the agent over. The script follows the file behind a line that names it.
 */
public record AgentBundle(String agent, Map<String, String> scripts) {
    /** Names come from another host and become files here: no way up and nothing hidden. */
    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}";

    private static final Pattern PATH = Pattern.compile(NAME + "(/" + NAME + "){0,3}");
    private static final Pattern MARK =
            Pattern.compile("(?m)^--- # file: (" + PATH.pattern() + ")\\n");
    private static final String SCRIPTED = "scripted:";

    /** A row has its limits; a longer script stays where it is. */
    private static final long LONGEST = 256 << 10;

    public AgentBundle {
        scripts = Map.copyOf(scripts);
    }

    public static boolean isName(String text) {
        return text.matches(NAME);
    }

    /** Whether a model is a script that is not below the agents' folder. */
    public static boolean usesScriptOutsideFolder(String model) {
        return model.startsWith(SCRIPTED)
                && !PATH.matcher(model.substring(SCRIPTED.length())).matches();
    }

    /**
     * Why the files cannot be written for an agent of this name; empty if they can. A script that
     * looks like an agent's file would become an agent that no one knows to be foreign, and an
     * agent with another name in its file would replace that one.
     */
    public Optional<String> problem(String username) {
        Optional<String> agentsFile =
                scripts.keySet().stream()
                        .filter(name -> AgentFolder.isAgentFile(Path.of(name).getFileName()))
                        .findFirst();
        if (agentsFile.isPresent()) {
            return Optional.of("its script %s is an agent's file".formatted(agentsFile.get()));
        }
        return switch (YamlBinder.parse(username + ".yaml", agent, AgentFile.class)) {
            case BindingResult.Problems<AgentFile>(var problems) ->
                    Optional.of("its file cannot be used: " + problems.getFirst());
            case BindingResult.Value<AgentFile>(var file)
                    when file.username() != null && !file.username().equals(username) ->
                    Optional.of("its file is of an agent called otherwise");
            case BindingResult.Value<AgentFile> _ -> Optional.empty();
        };
    }

    /** What belongs to a file that was found here. */
    public static AgentBundle of(AgentSource source) {
        Map<String, String> scripts = new LinkedHashMap<>();
        String model = source.content().modelName();
        if (model.startsWith(SCRIPTED)) {
            String name = model.substring(SCRIPTED.length());
            script(source.folder(), name).ifPresent(text -> scripts.put(name, text));
        }
        return new AgentBundle(source.text(), scripts);
    }

    /** Empty for one that is elsewhere, too long or missing: opening the model reports that. */
    private static Optional<String> script(Path folder, String name) {
        try {
            Path file = folder.resolve(name);
            return PATH.matcher(name).matches() && Files.size(file) <= LONGEST
                    ? Optional.of(Files.readString(file))
                    : Optional.empty();
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    public String text() {
        StringBuilder text = new StringBuilder(agent);
        scripts.forEach(
                (name, script) -> {
                    boolean ends = text.isEmpty() || text.charAt(text.length() - 1) == '\n';
                    text.append(ends ? "" : "\n").append("--- # file: ").append(name).append('\n');
                    text.append(script);
                });
        return text.toString();
    }

    public static AgentBundle parse(String text) {
        Matcher mark = MARK.matcher(text);
        if (!mark.find()) {
            return new AgentBundle(text, Map.of());
        }
        String agent = text.substring(0, mark.start());
        Map<String, String> scripts = new LinkedHashMap<>();
        boolean more = true;
        while (more) {
            String name = mark.group(1);
            int from = mark.end();
            more = mark.find();
            scripts.put(name, text.substring(from, more ? mark.start() : text.length()));
        }
        return new AgentBundle(agent, scripts);
    }
}
