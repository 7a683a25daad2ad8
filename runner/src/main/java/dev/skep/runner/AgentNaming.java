package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.agent.AgentRename;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.NewAgent;
import java.nio.file.Path;
import java.util.Optional;

/** Writes the names of agents into files: into a new one, or over the name that an agent had. */
final class AgentNaming {
    private final OwnAgentFiles own;
    private final AgentFileEditor files;

    AgentNaming(OwnAgentFiles own, AgentFileEditor files) {
        this.own = own;
        this.files = files;
    }

    /** Makes the file of an agent whose name nobody here has or had. */
    ActionResult create(NewAgent wanted, ChangeOrigin origin) {
        if (own.agent(wanted.username()).isPresent()) {
            return taken(wanted.username());
        }
        Optional<String> refusal = own.runtimes().refusal(wanted.runtime());
        if (refusal.isPresent()) {
            return new ActionResult.Refused(refusal.get());
        }
        return files.change(
                () ->
                        switch (wanted.writeInto(
                                own.folder(), (path, text) -> announceNew(path, text, origin))) {
                            case NewAgent.Written(var file) ->
                                    new ActionResult.Done("made %s".formatted(file));
                            case NewAgent.Refused(var why) -> new ActionResult.Refused(why);
                        });
    }

    private void announceNew(Path file, String text, ChangeOrigin origin) {
        files.announce(
                own.folder().root().relativize(file).toString().replace('\\', '/'),
                new AgentId(own.ids().next()),
                text,
                origin);
    }

    /**
     * Gives an agent another name; its mail and history stay its own.
     *
     * @param read reads the files again, before anybody else changes one
     */
    ActionResult rename(String username, String name, ChangeOrigin origin, Runnable read) {
        return files.change(
                () -> {
                    ActionResult renamed = renamed(username, name, origin);
                    if (renamed instanceof ActionResult.Done) {
                        read.run();
                    }
                    return renamed;
                });
    }

    private ActionResult renamed(String username, String name, ChangeOrigin origin) {
        Optional<AgentSource> source =
                own.folder().read().agents().stream()
                        .filter(each -> each.username().equals(username))
                        .findFirst();
        if (source.isEmpty()) {
            return own.unknown(username);
        }
        if (own.agent(name).isPresent()) {
            return taken(name);
        }
        Optional<Agent> agent = own.agent(username);
        return new AgentRename(name)
                .writeInto(
                        source.get(),
                        text ->
                                agent.ifPresent(
                                        each ->
                                                files.announce(
                                                        source.get().path(),
                                                        each.id(),
                                                        text,
                                                        origin)))
                .<ActionResult>map(ActionResult.Refused::new)
                .orElseGet(
                        () ->
                                new ActionResult.Done(
                                        "%s is now called %s".formatted(username, name)));
    }

    private static ActionResult taken(String name) {
        return new ActionResult.Refused(
                "there is an agent '%s' already, removed or not".formatted(name));
    }
}
