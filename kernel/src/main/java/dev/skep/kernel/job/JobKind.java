package dev.skep.kernel.job;

import dev.skep.kernel.consent.Consent;
import java.util.Arrays;
import java.util.Optional;

/**
 * The types of job that hosts of this version do, and who may ask for each: the one place that says
 * so. What a host does is named by these, so a type that is added without an entry does not
 * compile.
 *
 * <p>Operators may ask for all of them, viewers and hosts for none; the entries say what the key of
 * an agent may, and what a host must allow the hub that asks.
 */
public enum JobKind {
    SHELL("shell", Consent.JOBS, ByAgents.IF_GRANTED),
    SERVER_START("server.start", Consent.JOBS, ByAgents.IF_GRANTED),
    SERVER_STOP("server.stop", Consent.JOBS, ByAgents.IF_GRANTED),
    SERVER_RESTART("server.restart", Consent.JOBS, ByAgents.IF_GRANTED),
    SERVER_STATUS("server.status", Consent.JOBS, ByAgents.IF_GRANTED),
    AGENT_TASK("agent.task", Consent.STEER, ByAgents.UNLESS_WITHDRAWN),
    AGENT_START("agent.start", Consent.STEER, ByAgents.NEVER),
    AGENT_STOP("agent.stop", Consent.STEER, ByAgents.NEVER),
    AGENT_PAUSE("agent.pause", Consent.STEER, ByAgents.NEVER),
    AGENT_RESUME("agent.resume", Consent.STEER, ByAgents.NEVER),
    AGENT_TALK("agent.talk", Consent.STEER, ByAgents.NEVER),
    AGENT_RENAME("agent.rename", Consent.AGENTS, ByAgents.NEVER),
    AGENT_APPROVE("agent.approve", Consent.STEER, ByAgents.NEVER),
    AGENT_DENY("agent.deny", Consent.STEER, ByAgents.NEVER),
    NODE_REMOVE("node.remove", Consent.STEER, ByAgents.NEVER);

    private static final String AGENTS = "agent.";

    private final String type;
    private final Consent consent;
    private final ByAgents byAgents;

    /** What the key of an agent may. */
    public enum ByAgents {
        /** It steers or decides, which is for people; no org can grant it. */
        NEVER,
        /** Where an admin of the org grants the type to agents. */
        IF_GRANTED,
        /** As long as no admin has chosen other types for the org's agents. */
        UNLESS_WITHDRAWN
    }

    JobKind(String type, Consent consent, ByAgents byAgents) {
        this.type = type;
        this.consent = consent;
        this.byAgents = byAgents;
    }

    /** Its name in jobs. */
    public String type() {
        return type;
    }

    /** What a host must allow the hub that asks for it. */
    public Consent consent() {
        return consent;
    }

    public static Optional<JobKind> of(String type) {
        return Arrays.stream(values()).filter(kind -> kind.type.equals(type)).findFirst();
    }

    /**
     * The same for a type by its name. Hosts in other languages may do types of their own; those
     * about agents count as steering until this version knows better.
     */
    public static ByAgents byAgents(String type) {
        return of(type).map(kind -> kind.byAgents)
                .orElse(type.startsWith(AGENTS) ? ByAgents.NEVER : ByAgents.IF_GRANTED);
    }

    /** Whether it says yes or no to a command that waits. */
    public boolean isDecision() {
        return this == AGENT_APPROVE || this == AGENT_DENY;
    }
}
