package dev.skep.transport.describe;

import java.util.List;

/**
 * What JSON looks like, as the Java type that it is written from or read into.
 *
 * @param of what the type's own parameters stand for, as in a page of something
 */
public record Shape(Class<?> type, List<Class<?>> of) {
    public Shape {
        of = List.copyOf(of);
    }

    static Shape of(Class<?> type, Class<?>... of) {
        return new Shape(type, List.of(of));
    }
}
