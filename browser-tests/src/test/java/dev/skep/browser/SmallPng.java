package dev.skep.browser;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Screenshots with 256 colours, which flat pages do not miss: a third of the size. */
public final class SmallPng {
    /** Where pictures are wanted; looking is enough otherwise. */
    static final String SHOTS = System.getProperty("skep.screenshots", "");

    private static final int COLOURS = 256;
    private static final int CLOSE = 120;

    private SmallPng() {}

    /** Keeps a picture where pictures are wanted. */
    public static void keep(byte[] png, String name) {
        if (!SHOTS.isEmpty()) {
            write(png, Path.of(SHOTS, name + ".png"));
        }
    }

    static void write(byte[] png, Path file) {
        try {
            Files.createDirectories(file.getParent());
            BufferedImage full = ImageIO.read(new ByteArrayInputStream(png));
            ImageIO.write(reduced(full), "png", file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BufferedImage reduced(BufferedImage full) {
        Map<Integer, Integer> counts = new HashMap<>();
        for (int y = 0; y < full.getHeight(); y++) {
            for (int x = 0; x < full.getWidth(); x++) {
                counts.merge(full.getRGB(x, y) & 0xffffff, 1, Integer::sum);
            }
        }
        int[] colours = palette(counts);
        var model =
                new IndexColorModel(8, colours.length, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
        var small =
                new BufferedImage(
                        full.getWidth(), full.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
        Map<Integer, Integer> nearest = new HashMap<>();
        for (int y = 0; y < full.getHeight(); y++) {
            for (int x = 0; x < full.getWidth(); x++) {
                int colour = full.getRGB(x, y) & 0xffffff;
                int index = nearest.computeIfAbsent(colour, c -> nearest(c, colours));
                small.getRaster().setSample(x, y, 0, index);
            }
        }
        return small;
    }

    /**
     * The most frequent ones, none too close to another: a rare red must not fall to many greys.
     */
    private static int[] palette(Map<Integer, Integer> counts) {
        List<Integer> chosen = new ArrayList<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(Map.Entry::getKey)
                .forEach(
                        colour -> {
                            if (chosen.size() < COLOURS
                                    && chosen.stream()
                                            .noneMatch(c -> distance(c, colour) < CLOSE)) {
                                chosen.add(colour);
                            }
                        });
        return chosen.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int nearest(int colour, int[] colours) {
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < colours.length; i++) {
            int distance = distance(colour, colours[i]);
            if (distance < least) {
                best = i;
                least = distance;
            }
        }
        return best;
    }

    private static int distance(int a, int b) {
        int red = (a >> 16 & 255) - (b >> 16 & 255);
        int green = (a >> 8 & 255) - (b >> 8 & 255);
        int blue = (a & 255) - (b & 255);
        return red * red + green * green + blue * blue;
    }
}
