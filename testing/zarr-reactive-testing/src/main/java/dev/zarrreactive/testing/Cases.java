package dev.zarrreactive.testing;

import java.util.List;
import java.util.stream.IntStream;

/** How many cases a {@link Sampled} test tries. */
public final class Cases {
  private static final boolean ALL = Boolean.getBoolean("zarr.tests.all");

  private Cases() {}

  /** The first number, or the second one where all cases are tried. */
  public static int some(int some, int all) {
    return ALL ? all : some;
  }

  /** Each {@code step}-th of the cases, or each where all are tried. */
  public static <T> List<T> everyOther(int step, List<T> cases) {
    return everyOther(step, 0, cases);
  }

  /** Each {@code step}-th of the cases from the first one on, or each where all are tried. */
  public static <T> List<T> everyOther(int step, int first, List<T> cases) {
    return ALL
        ? cases
        : IntStream.range(0, cases.size())
            .filter(i -> i % step == first)
            .mapToObj(cases::get)
            .toList();
  }
}
