package dev.skep.models.yaml;

/**
 * Something wrong in a file, as people read it.
 *
 * @param line from 1
 * @param column from 1
 * @param key the dotted path to the value, empty for the file as a whole
 * @param message what is wrong and what to write instead
 */
public record YamlProblem(String file, int line, int column, String key, String message) {
    @Override
    public String toString() {
        String place = "%s:%d:%d: ".formatted(file, line, column);
        return key.isEmpty() ? place + message : place + key + ": " + message;
    }
}
