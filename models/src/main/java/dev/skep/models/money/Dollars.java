package dev.skep.models.money;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** An amount of money, exact to a micro-dollar. */
public record Dollars(long micros) {
    /** Reads {@code 1.50} or {@code $1.50}. */
    public static Dollars parse(String text) {
        try {
            BigDecimal amount = new BigDecimal(text.strip().replaceFirst("^\\$", ""));
            if (amount.signum() < 0) {
                throw new NumberFormatException("negative");
            }
            return new Dollars(
                    amount.movePointRight(6).setScale(0, RoundingMode.DOWN).longValueExact());
        } catch (ArithmeticException | NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'%s' is not an amount in dollars; write for example 1.50".formatted(text), e);
        }
    }

    /** With at least cents, and as many digits as the amount has. */
    @Override
    public String toString() {
        BigDecimal amount = BigDecimal.valueOf(micros, 6).stripTrailingZeros();
        return "$"
                + amount.setScale(Math.max(2, amount.scale()), RoundingMode.UNNECESSARY)
                        .toPlainString();
    }
}
