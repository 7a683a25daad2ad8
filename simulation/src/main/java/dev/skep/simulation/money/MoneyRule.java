package dev.skep.simulation.money;

import java.util.Locale;

/** The rules that keep spending within its limits, each taken out by tampering from outside. */
public enum MoneyRule {
    SPENDS_WHAT_IT_HOLDS("a host spends what it holds; without: on, where its hub is away"),
    MOST_IS_RESERVED("the most that a call can cost is held; without: the least"),
    ALL_THAT_APPLY("a call fits into all budgets that apply; without: into one"),
    USE_BY("a lease ends at its use-by; without: never"),
    WALL_CLOCK_COUNTS("a host counts the wall clock where it moved further; without: boot time"),
    BOOT_CLOCK_COUNTS("a host counts boot time where it moved further; without: the wall clock"),
    STEP_BACK_VOIDS("a wall clock that steps back ends a lease; without: the lease goes on"),
    REBOOT_VOIDS("a lease ends with its machine's start; without: it goes on by the wall clock"),
    COUNTS_FROM_REQUEST("a lease counts from when it was asked for; without: from its arrival"),
    STORED_BEFORE_CALL("what a call can cost is stored before it; without: afterwards"),
    TAKEN_ONCE("a grant is taken for an open request; without: each time that it arrives"),
    RETURN_ENDS_LEASE("nothing is spent of a returned lease; without: it is"),
    NOT_IN_BACKUPS("backups leave leases out; without: old ones come back"),
    RESTORED_HOST_WAITS("a host put back waits for its hub; without: it knows of no budget"),
    FREED_A_WINDOW_LATER("a lost lease counts a window longer; without: until its use-by"),
    RETURNED_COUNTS_A_WINDOW("what was spent counts a window from its return; without: less"),
    HUB_BOOT_CLOCK("a hub counts boot time; without: the wall clock"),
    PAUSE_IS_NOT_COUNTED("a hub's machine that was off has not aged; without: by its wall clock"),
    RESTORE_CLOSES("a hub put back lends nothing at first; without: at once"),
    WAITS_FOR_ALL("a closed hub waits for each of its hosts; without: for the first"),
    ANSWERS_THIS_CLOSING("what a host tells must answer the closing; without: an old message"),
    LOST_LEDGER_IS_UNSURE("a host with another ledger cannot vouch for its past; without: it does"),
    TELLS_WHAT_IT_HOLDS("a closed hub is told of leases; without: only of what was spent"),
    TELLS_WHAT_WAS_SPENT("a closed hub is told what was spent; without: only of leases");

    private final String meaning;

    MoneyRule(String meaning) {
        this.meaning = meaning;
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String meaning() {
        return meaning;
    }
}
