package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.FileChange;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFileCheck;
import dev.skep.runner.agent.AgentFileText;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.LiteralSecrets;
import dev.skep.runner.agent.NewAgent;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Changes the files of this host's agents for people, here and at hubs. A change is checked,
 * announced in the database, written, and recorded as a version; a process that is killed in
 * between has written the old text or the new one, and the next start records which. One change at
 * a time, and none while files are read.
 */
public final class AgentFileEditor {
    private final Parts parts;

    /**
     * What it works with.
     *
     * @param files reads all files again, and keeps others from doing so meanwhile
     */
    record Parts(
            RunnerStores stores,
            LocalHost host,
            UlidSource ids,
            AgentFolder folder,
            ForeignAgents foreign,
            AgentTextChecks checks,
            Redactor redactor,
            Files files) {}

    /** The files of the host, of which one at a time makes use. */
    interface Files {
        void read();

        <T> T exclusively(Supplier<T> use);
    }

    AgentFileEditor(Parts parts) {
        this.parts = parts;
    }

    /** An agent of this host with its newest version, its file having been read anew. */
    public Optional<FileChangeResult.Done> present(String agent) {
        return parts.files()
                .exclusively(
                        () -> {
                            parts.files().read();
                            return found(agent).flatMap(each -> done(each, ""));
                        });
    }

    /** The versions of one of this host's agents, removed or not. */
    public List<AgentVersion> versions(Principal who, AgentId agent) {
        return parts.stores().versions().of(who, agent);
    }

    public Optional<AgentVersion> version(Principal who, AgentId agent, long number) {
        return parts.stores().versions().find(who, agent, number);
    }

    /**
     * Replaces the text of an agent's file.
     *
     * @param agent its name or id
     * @param tag the version that the new text was made from
     */
    public FileChangeResult edit(String agent, String tag, String text, ChangeOrigin origin) {
        return parts.files()
                .exclusively(
                        () -> {
                            // Somebody on the host may have changed the file without telling.
                            parts.files().read();
                            Optional<Agent> found = found(agent);
                            return found.isEmpty()
                                    ? unknown(agent)
                                    : edited(found.get(), tag, text, origin);
                        });
    }

    private FileChangeResult edited(Agent agent, String tag, String text, ChangeOrigin origin) {
        Optional<FileChangeResult> settled = settled(agent, tag, origin);
        if (settled.isPresent()) {
            return settled.get();
        }
        Optional<AgentSource> source = source(agent);
        if (source.isEmpty()) {
            return new FileChangeResult.Refused(
                    ErrorCode.CONFLICT,
                    "the file of %s cannot be read on its host; 'skep agents check' there says why"
                            .formatted(agent.username()));
        }
        AgentSource before = source.get();
        if (before.text().equals(text)) {
            return done(agent, "nothing changed").orElseThrow();
        }
        if (!parts.redactor().redact(before.text()).equals(before.text())
                || !LiteralSecrets.of(before).values().isEmpty()) {
            return new FileChangeResult.Refused(
                    ErrorCode.CONFLICT,
                    "the file of %s holds a secret that is shown to nobody; edit it on host %s"
                            .formatted(agent.username(), parts.host().name()));
        }
        List<YamlProblem> problems =
                parts.checks().problems(agent, text, Optional.of(before), origin);
        if (!problems.isEmpty()) {
            return new FileChangeResult.Invalid(problems);
        }
        announceText(before.path(), agent.id(), text, origin);
        AgentFileText.replace(before.file(), text);
        parts.files().read();
        return found(agent.id().value())
                .flatMap(now -> done(now, "%s is changed".formatted(now.username())))
                .filter(now -> !now.version().tag().equals(tag))
                .<FileChangeResult>map(Function.identity())
                .orElseGet(() -> notTaken(agent.username()));
    }

    private static FileChangeResult notTaken(String username) {
        return new FileChangeResult.Refused(
                ErrorCode.CONFLICT,
                "the file of %s is written, and the host cannot use it; 'skep agents check' there says why"
                        .formatted(username));
    }

    /** An answer that needs no change: it was made already, or is for another text. */
    private Optional<FileChangeResult> settled(Agent agent, String tag, ChangeOrigin origin) {
        AgentVersion newest = newest(agent).orElseThrow(() -> missing(agent));
        if (isMade(agent, origin)) {
            return done(agent, "%s is changed".formatted(agent.username()))
                    .map(Function.identity());
        }
        return newest.tag().equals(tag)
                ? Optional.empty()
                : Optional.of(new FileChangeResult.Stale(newest));
    }

    /** A job is repeated whose first run was not heard of. */
    private boolean isMade(Agent agent, ChangeOrigin origin) {
        String asked = origin.changeId();
        return asked != null
                && parts.stores().versions().of(local(), agent.id()).stream()
                        .anyMatch(version -> asked.equals(version.changeId()));
    }

    private Principal local() {
        return new Principal.Local(parts.host().org());
    }

    private static SkepException missing(Agent agent) {
        return new SkepException(
                ErrorCode.CONFLICT,
                "the file of %s cannot be read on its host; 'skep agents check' there says why"
                        .formatted(agent.username()));
    }

    /** Makes an agent of a text that names it. */
    public FileChangeResult create(String text, ChangeOrigin origin) {
        return parts.files()
                .exclusively(
                        () -> {
                            parts.files().read();
                            return created(text, origin);
                        });
    }

    private FileChangeResult created(String text, ChangeOrigin origin) {
        List<YamlProblem> unusable = new AgentFileCheck(null, text).problems(parts.redactor());
        if (!unusable.isEmpty()) {
            return new FileChangeResult.Invalid(unusable);
        }
        if (!parts.host().awaited().awaited().isEmpty()) {
            return new FileChangeResult.Refused(
                    ErrorCode.CONFLICT,
                    "host %s waits for hubs that may know its agents; try again later"
                            .formatted(parts.host().name()));
        }
        String username = username(text);
        Optional<Agent> known = found(username);
        if (known.isPresent()) {
            return isMade(known.get(), origin)
                    ? done(known.get(), made(username)).orElseThrow()
                    : new FileChangeResult.Refused(
                            ErrorCode.CONFLICT,
                            "there is an agent '%s' on host %s already, removed or not; choose another name"
                                    .formatted(username, parts.host().name()));
        }
        AgentId id = new AgentId(parts.ids().next());
        Path file = parts.folder().root().resolve(username + ".yaml");
        Agent agent = newAgent(id, username, file);
        List<YamlProblem> problems = parts.checks().problems(agent, text, Optional.empty(), origin);
        if (!problems.isEmpty()) {
            return new FileChangeResult.Invalid(problems);
        }
        if (java.nio.file.Files.exists(file)) {
            return isThere(file);
        }
        announceText(path(file), id, text, origin);
        try {
            NewAgent.writeSchema(parts.folder().root());
            DurableFiles.create(file, DurableFiles.Access.USUAL, text);
        } catch (FileAlreadyExistsException e) {
            return isThere(file);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make its folder writable".formatted(file),
                    e);
        }
        parts.files().read();
        return found(id.value())
                .flatMap(now -> done(now, made(username)))
                .<FileChangeResult>map(Function.identity())
                .orElseGet(() -> notTaken(username));
    }

    private FileChangeResult isThere(Path file) {
        return new FileChangeResult.Refused(
                ErrorCode.CONFLICT,
                "%s is there already on host %s; choose another name"
                        .formatted(path(file), parts.host().name()));
    }

    private static String made(String username) {
        return "%s is made".formatted(username);
    }

    private Agent newAgent(AgentId id, String username, Path file) {
        return new Agent(
                id,
                parts.host().id(),
                parts.host().name(),
                username,
                null,
                Agent.Kind.AGENT,
                path(file),
                null,
                null,
                false,
                null,
                Instant.EPOCH);
    }

    /**
     * Why nothing may be done to an agent with this version in mind; empty if it may. For changes
     * that are not of its text.
     */
    public Optional<FileChangeResult> staleFor(String agent, String tag) {
        return parts.files()
                .exclusively(
                        () -> {
                            parts.files().read();
                            Optional<Agent> found = found(agent);
                            return found.isEmpty()
                                    ? Optional.of(unknown(agent))
                                    : newest(found.get())
                                            .filter(each -> !each.tag().equals(tag))
                                            .map(FileChangeResult.Stale::new);
                        });
    }

    /** Changes a part of a file; what is written has been announced by the time it is. */
    <T> T change(Supplier<T> change) {
        return parts.files().exclusively(change);
    }

    /** Before a file is written by somebody who changes a part of it. */
    void announce(String path, AgentId agent, String text, ChangeOrigin origin) {
        parts.stores()
                .versions()
                .begin(
                        new FileChange(
                                path,
                                AgentVersion.hash(text),
                                agent,
                                origin.author(),
                                origin.hub(),
                                origin.reason(),
                                origin.changeId()));
    }

    /** What a hub brings is not trusted like what was written here, from before it is there. */
    private void announceText(String path, AgentId agent, String text, ChangeOrigin origin) {
        announce(path, agent, text, origin);
        String hub = origin.hub();
        if (hub != null) {
            parts.foreign().bringsFile(agent, hub, path);
        }
    }

    private static String username(String text) {
        return content(text).map(AgentFile::username).orElseThrow();
    }

    private static Optional<AgentFile> content(String text) {
        return YamlBinder.parse("new.yaml", text, AgentFile.class)
                        instanceof BindingResult.Value<AgentFile>(var content)
                ? Optional.of(content)
                : Optional.empty();
    }

    private String path(Path file) {
        return parts.folder().root().relativize(file).toString().replace('\\', '/');
    }

    private Optional<AgentSource> source(Agent agent) {
        return parts.folder().read().agents().stream()
                .filter(each -> AgentRegistrar.isOf(each, agent))
                .findFirst();
    }

    private Optional<AgentVersion> newest(Agent agent) {
        return parts.stores().versions().newest(local(), agent.id());
    }

    private Optional<FileChangeResult.Done> done(Agent agent, String message) {
        return newest(agent).map(version -> new FileChangeResult.Done(agent, version, message));
    }

    /** By its id, or by its name on this host. */
    private Optional<Agent> found(String agent) {
        return parts.stores().agents().onThisHost().stream()
                .filter(each -> each.kind() == Agent.Kind.AGENT)
                .filter(each -> each.id().value().equals(agent) || each.username().equals(agent))
                .findFirst();
    }

    private FileChangeResult unknown(String agent) {
        return new FileChangeResult.Refused(
                ErrorCode.NOT_FOUND,
                "there is no agent '%s' on %s; 'skep agents' lists them"
                        .formatted(agent, parts.host().name()));
    }
}
