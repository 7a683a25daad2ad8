package dev.skep.simulation.money;

/** What goes wrong. */
enum MoneyFault {
    HOST_KILLED,
    HOST_REBOOTED,
    HOST_RESTORED,
    HOST_WIPED,
    HOST_PAUSED,
    HOST_RESUMED_IN_THE_PAST,
    HOST_CLOCK_SET,
    HUB_KILLED,
    HUB_REBOOTED,
    HUB_RESTORED,
    HUB_CLOCK_SET,
    PARTITION,
    MESSAGE_LOST,
    MESSAGE_REPEATED,
    MESSAGE_LATE
}
