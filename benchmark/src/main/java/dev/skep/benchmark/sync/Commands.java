package dev.skep.benchmark.sync;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** The child's end of a {@link Child}: answers until its input ends. */
final class Commands {
    private Commands() {}

    /** Answers one command, given as words. */
    @FunctionalInterface
    interface Answers {
        String to(String... words) throws Exception;
    }

    static void serve(Answers answers) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String answer;
            try {
                answer = answers.to(line.split(" ", -1));
            } catch (Exception e) {
                e.printStackTrace();
                return;
            }
            System.out.println(answer);
            System.out.flush();
        }
    }
}
