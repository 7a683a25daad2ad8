package dev.skep.benchmark;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * One measured number, what it was measured against in the same run, and whether it is good enough.
 *
 * @param against what the comparison is, or null when the figure stands alone
 * @param note why there is no comparison, or anything a reader should know
 */
public record Figure(
        String name,
        double value,
        String unit,
        @Nullable String against,
        @Nullable Double againstValue,
        Goal goal,
        @Nullable String note) {

    /** A bound on the value itself, or on its ratio to the comparison. */
    public record Goal(Kind kind, double bound) {
        /** What the bound is about. */
        public enum Kind {
            AT_LEAST(">="),
            AT_MOST("<="),
            EXACTLY("="),
            RATIO_AT_LEAST(">="),
            NONE("");

            private final String sign;

            Kind(String sign) {
                this.sign = sign;
            }
        }

        static final Goal NONE = new Goal(Kind.NONE, 0);

        public static Goal atLeast(double bound) {
            return new Goal(Kind.AT_LEAST, bound);
        }

        public static Goal atMost(double bound) {
            return new Goal(Kind.AT_MOST, bound);
        }

        public static Goal exactly(double bound) {
            return new Goal(Kind.EXACTLY, bound);
        }

        public static Goal ratioAtLeast(double bound) {
            return new Goal(Kind.RATIO_AT_LEAST, bound);
        }

        public static Goal none() {
            return NONE;
        }

        @Override
        public String toString() {
            return kind == Kind.NONE ? "" : kind.sign + plain(bound);
        }
    }

    public static Figure alone(String name, double value, String unit, Goal goal) {
        return new Figure(name, value, unit, null, null, goal, null);
    }

    public static Figure beside(
            String name, double value, String unit, String against, double of, Goal goal) {
        return new Figure(name, value, unit, against, of, goal, null);
    }

    public @Nullable Double ratio() {
        return againstValue == null || againstValue == 0 ? null : value / againstValue;
    }

    public boolean holds() {
        Double ratio = ratio();
        return switch (goal.kind()) {
            case AT_LEAST -> value >= goal.bound();
            case AT_MOST -> value <= goal.bound();
            case EXACTLY -> value == goal.bound();
            case RATIO_AT_LEAST -> ratio != null && ratio >= goal.bound();
            case NONE -> true;
        };
    }

    static String plain(double number) {
        int decimals = Math.abs(number) >= 1_000 ? 0 : 3;
        return BigDecimal.valueOf(number)
                .setScale(decimals, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
