package dev.skep.models;

import dev.skep.models.yaml.DefaultsTo;
import dev.skep.models.yaml.Description;
import java.math.BigDecimal;

/** Prices as price lists write them: dollars for a million tokens. */
public record DollarPrices(
        @Description("dollars for a million input tokens") BigDecimal input,
        @Description("dollars for a million output tokens, reasoning included") BigDecimal output,
        @Description("dollars for a million tokens read from the cache") @DefaultsTo("0")
                BigDecimal cacheRead,
        @Description("dollars for a million tokens written to the cache") @DefaultsTo("0")
                BigDecimal cacheWrite) {
    private static final int MICROS = 6;

    public DollarPrices {
        check("input", input);
        check("output", output);
        check("cache_read", cacheRead);
        check("cache_write", cacheWrite);
    }

    private static void check(String key, BigDecimal price) {
        if (price.signum() < 0 || price.precision() - price.scale() > MICROS) {
            throw new IllegalArgumentException(key + ": a price is from 0 to 999999 dollars");
        }
        if (price.stripTrailingZeros().scale() > MICROS) {
            throw new IllegalArgumentException(key + ": a price has at most six decimal places");
        }
    }

    public Prices exact() {
        return new Prices(micros(input), micros(output), micros(cacheRead), micros(cacheWrite));
    }

    private static long micros(BigDecimal dollars) {
        return dollars.movePointRight(MICROS).longValueExact();
    }
}
