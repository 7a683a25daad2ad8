package dev.skep.transport.http;

/**
 * What one caller may ask of the listener.
 *
 * @param bodyBytes the longest body of a request
 * @param perSecond requests a second from one address, over time
 * @param burst requests at once from one address; many hosts may share one
 */
public record RequestLimits(int bodyBytes, int perSecond, int burst) {
    public static final RequestLimits USUAL = new RequestLimits(1 << 20, 500, 5_000);
}
