package dev.skep.kernel.job;

import dev.skep.kernel.consent.Consent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The types of job that hosts of this version execute, who may create each, and what its payload
 * must contain. Hosts name job types by these constants, so a type without an entry does not
 * compile.
 *
 * <p>Operators may create all of them, viewers and hosts none; each entry says whether an agent's
 * key may, and which consent the host must have given to the hub.
 */
public enum JobKind {
    SHELL(
            "shell",
            Consent.JOBS,
            ByAgents.IF_GRANTED,
            new Form("runs a command", "{\"command\": \"uptime\"}"),
            "command"),
    AGENT_TASK(
            "agent.task",
            Consent.STEER,
            ByAgents.UNLESS_WITHDRAWN,
            new Form(
                    "gives an agent something to do",
                    "{\"agent\": \"NAME\", \"task\": \"tidy up\"}"),
            "agent",
            "task"),
    AGENT_START("agent.start", Consent.STEER, ByAgents.NEVER, Form.ABOUT_AN_AGENT, "agent"),
    AGENT_STOP("agent.stop", Consent.STEER, ByAgents.NEVER, Form.ABOUT_AN_AGENT, "agent"),
    AGENT_PAUSE("agent.pause", Consent.STEER, ByAgents.NEVER, "agent"),
    AGENT_RESUME("agent.resume", Consent.STEER, ByAgents.NEVER, "agent"),
    AGENT_CANCEL("agent.cancel", Consent.STEER, ByAgents.NEVER, "agent"),
    AGENT_TALK("agent.talk", Consent.STEER, ByAgents.NEVER, "agent"),
    AGENT_RENAME("agent.rename", Consent.AGENTS, ByAgents.NEVER, "agent"),
    AGENT_APPROVE("agent.approve", Consent.STEER, ByAgents.NEVER, "agent"),
    /** A type of its own: a host that does not know it says so, and never takes it for once. */
    AGENT_APPROVE_ALWAYS("agent.approve_always", Consent.AGENTS, ByAgents.NEVER, "agent"),
    AGENT_DENY("agent.deny", Consent.STEER, ByAgents.NEVER, "agent"),
    /** Makes an agent of a file; the next three are for the version of the file that is named. */
    AGENT_CREATE("agent.create", Consent.AGENTS, ByAgents.NEVER, "agent", "file"),
    AGENT_EDIT("agent.edit", Consent.AGENTS, ByAgents.NEVER, "agent", "version", "file"),
    AGENT_REMOVE("agent.remove", Consent.AGENTS, ByAgents.NEVER, "agent", "version"),
    AGENT_RESTORE("agent.restore", Consent.AGENTS, ByAgents.NEVER, "agent"),
    SERVER_START("server.start", Consent.JOBS, ByAgents.IF_GRANTED, Form.EMPTY),
    SERVER_STOP("server.stop", Consent.JOBS, ByAgents.IF_GRANTED, Form.EMPTY),
    SERVER_RESTART("server.restart", Consent.JOBS, ByAgents.IF_GRANTED, Form.EMPTY),
    SERVER_STATUS("server.status", Consent.JOBS, ByAgents.IF_GRANTED, Form.EMPTY),
    NODE_REMOVE("node.remove", Consent.STEER, ByAgents.NEVER),
    /** A value for agents' files, sealed for the host. */
    SECRET_SET("secret.set", Consent.AGENTS, ByAgents.NEVER, "name", "sealed"),
    SECRET_REMOVE("secret.remove", Consent.AGENTS, ByAgents.NEVER, "name");

    private static final String AGENTS = "agent.";

    private final String type;
    private final Consent consent;
    private final ByAgents byAgents;

    @SuppressWarnings("ImmutableEnumChecker") // a record of texts
    private final @Nullable Form form;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> needs;

    /** Whether an agent's key may create it. */
    public enum ByAgents {
        /** It steers or decides, which is for people; no org can grant it. */
        NEVER,
        /** If an admin of the org grants the type to agents. */
        IF_GRANTED,
        /** As long as no admin has chosen other types for the org's agents. */
        UNLESS_WITHDRAWN
    }

    /**
     * How a page offers the type to people who create a job.
     *
     * @param does what it does, where its name does not say enough
     * @param payload an example, to be filled in
     */
    public record Form(String does, String payload) {
        private static final Form EMPTY = new Form("", "{}");
        private static final Form ABOUT_AN_AGENT = new Form("", "{\"agent\": \"NAME\"}");
    }

    /** A type that pages do not offer in a list: they have buttons for it, or nothing. */
    JobKind(String type, Consent consent, ByAgents byAgents, String... needs) {
        this(type, consent, byAgents, null, needs);
    }

    JobKind(String type, Consent consent, ByAgents byAgents, @Nullable Form form, String... needs) {
        this.type = type;
        this.consent = consent;
        this.byAgents = byAgents;
        this.form = form;
        this.needs = List.of(needs);
    }

    /** Its name in jobs. */
    public String type() {
        return type;
    }

    /** What a host must allow the hub that asks for it. */
    public Consent consent() {
        return consent;
    }

    /** How a page offers it, if one does. */
    public Optional<Form> form() {
        return Optional.ofNullable(form);
    }

    /** The texts that its payload must have. */
    public List<String> needs() {
        return needs;
    }

    public static Optional<JobKind> of(String type) {
        return Arrays.stream(values()).filter(kind -> kind.type.equals(type)).findFirst();
    }

    /**
     * What the key of an agent may, for a type by its name. Hosts in other languages may do types
     * of their own; those about agents count as steering until this version knows better.
     */
    public static ByAgents byAgents(String type) {
        return of(type).map(kind -> kind.byAgents)
                .orElse(type.startsWith(AGENTS) ? ByAgents.NEVER : ByAgents.IF_GRANTED);
    }

    /** Whether it changes which agents a host has or what their files say. */
    public boolean isFileChange() {
        return this == AGENT_CREATE
                || this == AGENT_EDIT
                || this == AGENT_REMOVE
                || this == AGENT_RESTORE;
    }

    /** Whether it brings a sealed secret to a host, or takes it back. */
    public boolean isAboutSecrets() {
        return this == SECRET_SET || this == SECRET_REMOVE;
    }

    /** Whether it approves or denies a waiting command. */
    public boolean isDecision() {
        return this == AGENT_APPROVE || this == AGENT_APPROVE_ALWAYS || this == AGENT_DENY;
    }
}
