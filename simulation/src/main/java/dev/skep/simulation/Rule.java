package dev.skep.simulation;

import java.util.Locale;

/**
 * The rules the protocol stands on. Taking one out, by tampering with messages or with the store in
 * memory, must break the simulation; if it does not, the simulation proves nothing about that rule.
 */
enum Rule {
    MERGED_STREAM("one stream over all tables; without: one position over pages cut per table"),
    COMMIT_ORDER("feed order is commit order; without: numbers are handed out before the commit"),
    NEWER_ONLY("only what is newer is stored; without: whatever came last"),
    ATOMIC_CURSOR("rows and cursor in one transaction; without: the cursor first"),
    EPOCH_AT_START("each process start opens an epoch; without: numbers go on where a backup ends"),
    HEAD_CHECK("a host checks the head a hub knows of it; without: only the position"),
    HUB_HEAD_CHECK("a hub checks the head a host knows of it; without: only the position"),
    APPLIED_MATCHES("forwards count when the host names their cursor; without: when sent"),
    HEAL_RETURNS_ROWS("a restored host gets its rows back; without: only new stamps"),
    HEAL_STAMPS_ANEW("a restored host stamps all its rows again; without: it goes on"),
    SEEN("hosts report to a hub that lost its past what they hold; without: they do not"),
    SEEN_ANSWERED_ONCE("a host remembers what it has answered; without: it stamps for ever"),
    HEALED_EPOCH("replicas of a lost timeline are set aside; without: they stay"),
    GENERATION("a higher generation outranks every stamp; without: the stamp decides"),
    GIVING_UP_STAMPS("what goes to another owner takes a stamp; without: a backup looks current"),
    GRANT_NEEDED("a changed owner needs a grant; without: anyone may take any agent"),
    GRANT_REPEATED("a grant is repeated until it is carried out; without: once"),
    OWNER_CHECK("a stored row changes by its owner only; without: by any host that knows its id"),
    AGENT_OF_HOST("rows are written for agents of their host; without: for any agent"),
    FORWARDED_AGENT_OF_HOST("a runner sees to that too; without: it takes what its hub forwards"),
    ASKED_AGAIN("what waited for its agent is asked for again; without: it stays set aside"),
    ORG_SCOPE("rows stay in their org; without: they go to all"),
    LINK_FENCE("a newer link fences older ones; without: both store"),
    QUARANTINE("a bad row is set aside; without: its page fails"),
    NAMES_DO_NOT_REJECT("a row with a taken name is stored and marked; without: refused"),
    NAME_MARKS("the owner marks the later name; without: no host does"),
    TIMEOUT("a silent peer is dropped; without: waited for"),
    KEPT_AT_ARRIVAL("no row is dropped for its age; without: those whose ids are of long ago"),
    AGE_SINCE_STORED("a row ages from when it was stored; without: by the time in its id"),
    AGE_BY_MONOTONIC_TIME("ages count monotonic time; without: what the wall clock says"),
    PAUSE_CAPPED("a restart counts so much time and no more; without: all the wall clock says"),
    HIGHEST_WALL_TIME("a restart counts from the latest time ever read; without: from the last"),
    PURGE_BOUND("a round purges so many rows and no more; without: all that are old"),
    NEVER_BY_AGE("what was read stays for ever; without: it goes like the mail"),
    PURGE_WAITS("a host keeps its rows until every hub has them; without: until they are old"),
    ASIDE_HOLDS_UP("a host keeps what a hub has set aside; without: it counts as pulled"),
    PURGED_IN_ORDER("own rows go in the order of their stamps; without: in any"),
    FLOORS("what an owner let go is not lost, nor given back; without: it is both"),
    AHEAD_IS_NOT_STORED("a host keeps what a hub asks beyond; without: it counts as stored there"),
    CATCH_UP_TARGET("a newcomer catches up to where the hub was when it came; without: is by then"),
    PAGE_LIMIT("a page has so many rows and no more; without: all there are"),
    BOUNDED_TAIL("a hub keeps so many recent rows in memory; without: all since it started");

    private final String meaning;

    Rule(String meaning) {
        this.meaning = meaning;
    }

    String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String meaning() {
        return meaning;
    }
}
