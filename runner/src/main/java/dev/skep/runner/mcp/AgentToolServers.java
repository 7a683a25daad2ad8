package dev.skep.runner.mcp;

import dev.skep.models.ToolOffer;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentPlaceholders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers that an agent's file names. */
public final class AgentToolServers implements ToolServers {
    /** Providers take no more tools than about this many, ours included. */
    private static final int MOST_OFFERS = 100;

    private final Map<String, ServerClient> clients = new LinkedHashMap<>();

    /** Why a server is not there, as it was last told. */
    private final Map<String, String> absent = new HashMap<>();

    private final int longestAnswer;
    private List<ToolOffer> offers = List.of();

    private AgentToolServers(int longestAnswer) {
        this.longestAnswer = longestAnswer;
    }

    /** Connects to none yet. */
    public static ToolServers of(
            AgentFile file, AgentPlaceholders substitution, ServerPrograms programs) {
        if (file.tools().isEmpty()) {
            return NONE;
        }
        AgentToolServers servers = new AgentToolServers(file.outputLimit());
        for (AgentFile.ToolServer each : file.tools()) {
            servers.add(each, substitution, programs, file.commandTimeout());
        }
        return servers;
    }

    private void add(
            AgentFile.ToolServer server,
            AgentPlaceholders substitution,
            ServerPrograms programs,
            Duration timeout) {
        clients.put(
                server.name(),
                new ServerClient(
                        new ServerClient.Way(
                                server.name(),
                                // Nothing is filled in: everyone may read a program's arguments.
                                server.command(),
                                filledIn(server.env(), substitution),
                                server.url(),
                                filledIn(server.headers(), substitution),
                                missing(server, substitution)),
                        programs,
                        timeout));
    }

    /** A server must not be sent the text of a place instead of what belongs there. */
    private static @Nullable String missing(
            AgentFile.ToolServer server, AgentPlaceholders substitution) {
        return Stream.concat(server.env().values().stream(), server.headers().values().stream())
                .flatMap(value -> substitution.problems(value).stream())
                .findFirst()
                .orElse(null);
    }

    private static Map<String, String> filledIn(
            Map<String, String> written, AgentPlaceholders substitution) {
        Map<String, String> values = new LinkedHashMap<>();
        written.forEach((name, value) -> values.put(name, substitution.in(value)));
        return values;
    }

    @Override
    public List<String> refresh() throws InterruptedException {
        List<String> news = new ArrayList<>();
        for (ServerClient client : clients.values()) {
            if (absent.containsKey(client.name())) {
                continue;
            }
            int leftOut = client.leftOut();
            String problem = connect(client);
            if (!problem.isEmpty()) {
                news.add(
                        "the tools of '%1$s' are not there: it %2$s; 'tool list' tries again"
                                .formatted(client.name(), problem));
            } else if (client.leftOut() != leftOut) {
                news.add(
                        "of the tools of '%s' %d are used and %d are left out: wrong names, or too much of them"
                                .formatted(client.name(), client.tools().size(), client.leftOut()));
            }
        }
        return news;
    }

    /** Empty, or what is wrong with it. */
    private String connect(ServerClient client) throws InterruptedException {
        try {
            client.refresh();
            absent.remove(client.name());
            return "";
        } catch (ServerFailure failure) {
            absent.put(client.name(), failure.words());
            return failure.words();
        } finally {
            count();
        }
    }

    private void count() {
        List<ToolOffer> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ServerClient client : clients.values()) {
            for (ServerTool tool : client.tools()) {
                int number = 0;
                while (!names.add(tool.offer(number).name())) {
                    number++;
                }
                all.add(tool.offer(number));
            }
        }
        List<ToolOffer> now = all.size() > MOST_OFFERS ? all.subList(0, MOST_OFFERS) : all;
        // The same list again keeps the prompt's beginning, which is what providers cache.
        offers = now.equals(offers) ? offers : List.copyOf(now);
    }

    @Override
    public List<ToolOffer> offers() {
        return offers;
    }

    @Override
    public String call(ToolCommandLine line) throws InterruptedException {
        ServerClient client = clients.get(line.server());
        if (client == null) {
            return "error: there is no server '%s'; there are: %s"
                    .formatted(line.server(), String.join(", ", clients.keySet()));
        }
        try {
            String answer = client.call(line.tool(), line.json());
            absent.remove(client.name());
            return AnswerText.within(answer, longestAnswer);
        } catch (ServerFailure failure) {
            return "error: the server '%s' %s".formatted(client.name(), failure.words());
        } finally {
            count();
        }
    }

    @Override
    public String describe() throws InterruptedException {
        StringBuilder text = new StringBuilder();
        for (ServerClient client : clients.values()) {
            String problem = connect(client);
            if (!problem.isEmpty()) {
                text.append("%s: not there: it %s\n".formatted(client.name(), problem));
            }
            for (ServerTool tool : client.tools()) {
                text.append(
                        "tool %s {…}: %s\n  arguments: %s\n"
                                .formatted(tool.called(), tool.description(), tool.schema()));
            }
        }
        return AnswerText.within(text.toString().stripTrailing(), longestAnswer);
    }

    @Override
    public void close() {
        clients.values().forEach(ServerClient::close);
    }
}
