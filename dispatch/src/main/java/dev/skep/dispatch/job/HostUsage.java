package dev.skep.dispatch.job;

/** What a host has been given: how many runs it holds, and how many it started in a minute. */
public record HostUsage(int running, long minute, int started) {
    public static final HostUsage NONE = new HostUsage(0, 0, 0);

    /** After it was given more in the given minute. */
    public HostUsage given(int runs, long inMinute) {
        int before = minute == inMinute ? started : 0;
        return new HostUsage(running + runs, inMinute, before + runs);
    }

    public HostUsage freed(int runs) {
        return new HostUsage(Math.max(0, running - runs), minute, started);
    }
}
