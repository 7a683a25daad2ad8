package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request on its way through the route table. Its own data is available from the start; the
 * caller and the path's parameters are known once it was checked.
 *
 * @param query the first value of each name
 * @param ifMatch the version of a thing that the caller saw, if the request says
 */
public record Request(
        HttpMethod method,
        String path,
        Map<String, String> query,
        Credentials credentials,
        Body body,
        OwnAddresses ownAddresses,
        Map<String, String> parameters,
        @Nullable Actor askedBy,
        Optional<String> ifMatch) {

    /** The bytes a request carries, within the limit of the listener. */
    public interface Body {
        byte[] bytes();

        InputStream stream();
    }

    public static Request of(
            HttpMethod method,
            String path,
            Map<String, String> query,
            Credentials credentials,
            Body body) {
        return new Request(
                method,
                path,
                query,
                credentials,
                body,
                OwnAddresses.NONE,
                Map.of(),
                null,
                Optional.empty());
    }

    /** The same, with a query as a URL has it and a body that is here already. */
    public static Request of(
            HttpMethod method, String path, String query, Credentials credentials, byte[] body) {
        return of(method, path, QueryString.ofForm(query), credentials, new Bytes(body));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed over, never compared
    private record Bytes(byte[] bytes) implements Body {
        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(bytes);
        }
    }

    /** The same, taken by a listener that knows some of the addresses it is reached by. */
    public Request takenAt(OwnAddresses addresses) {
        return new Request(
                method, path, query, credentials, body, addresses, parameters, askedBy, ifMatch);
    }

    /** The same, made only if the thing is at this version. */
    public Request ifMatches(Optional<String> version) {
        return new Request(
                method, path, query, credentials, body, ownAddresses, parameters, askedBy, version);
    }

    Request authorizedAs(Map<String, String> parameters, @Nullable Actor actor) {
        return new Request(
                method, path, query, credentials, body, ownAddresses, parameters, actor, ifMatch);
    }

    /** The same with another body, which whoever looks at the first one hands on. */
    public Request withBody(Body other) {
        return new Request(
                method,
                path,
                query,
                credentials,
                other,
                ownAddresses,
                parameters,
                askedBy,
                ifMatch);
    }

    /** The body as a record; see {@link JsonFields#as}. */
    public <R extends Record> R body(Class<R> type) {
        return fields().as(type);
    }

    /** The caller and its address; throws on routes that anyone may use if there is none. */
    public Actor actor() {
        if (askedBy == null) {
            throw new IllegalStateException(path + " has no caller");
        }
        return askedBy;
    }

    public Principal principal() {
        return actor().principal();
    }

    public OrgId org() {
        return principal().org();
    }

    /** The caller's address. */
    public String from() {
        return credentials.from();
    }

    public String parameter(String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalStateException(path + " has no parameter " + name);
        }
        return value;
    }

    public Optional<String> query(String name) {
        return Optional.ofNullable(query.get(name)).filter(value -> !value.isBlank());
    }

    /** A whole number of the query within bounds. */
    public int query(String name, int otherwise, int atMost) {
        Optional<String> text = query(name);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text.get());
            if (value >= 1 && value <= atMost) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST,
                "query '%s' must be a whole number from 1 to %d".formatted(name, atMost));
    }

    /** The body as the fields of a JSON object. */
    public JsonFields fields() {
        return JsonFields.of(body.bytes());
    }
}
