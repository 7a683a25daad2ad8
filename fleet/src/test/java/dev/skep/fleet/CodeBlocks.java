package dev.skep.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The code blocks of a page. */
public final class CodeBlocks {
    private CodeBlocks() {}

    /**
     * A block and what stands behind its opening fence.
     *
     * @param info its language, and for those who run it where and when
     */
    public record Block(String info, String text, int line) {}

    public static List<Block> of(Path page) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("```")) {
                int begin = i + 1;
                int end = begin;
                while (!lines.get(end).equals("```")) {
                    end++;
                }
                blocks.add(
                        new Block(
                                lines.get(i).substring(3),
                                String.join("\n", lines.subList(begin, end)),
                                begin));
                i = end;
            }
        }
        return blocks;
    }
}
