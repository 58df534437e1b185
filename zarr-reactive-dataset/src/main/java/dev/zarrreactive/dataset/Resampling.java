package dev.zarrreactive.dataset;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.dataset.cf.CalendarDate;
import dev.zarrreactive.dataset.cf.CfCalendar;
import dev.zarrreactive.internal.statistics.CellAxis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * A dimension of times, divided into the periods of its calendar from the first to the last one
 * that a time is in. A period may be empty. Times that are missing are in no period; the order of
 * the times does not matter. Immutable.
 *
 * <p>Publishers first read the coordinate of the dimension, which stays with the dataset. Apart
 * from that they are those of {@link Reduction}. {@link IllegalArgumentException}, emitted, for a
 * dimension whose coordinate has no dates, and for more than 2^24 periods.
 */
public final class Resampling {
  private static final long MOST_PERIODS = 1L << 24;

  private final Dataset dataset;
  private final String dimension;
  private final CalendarPeriod period;
  private final boolean keepsMissing;

  Resampling(Dataset dataset, String dimension, CalendarPeriod period, boolean keepsMissing) {
    this.dataset = dataset;
    this.dimension = dimension;
    this.period = period;
    this.keepsMissing = keepsMissing;
  }

  /**
   * A statistic of each period.
   *
   * @param dimensions the dimensions of the values, slowest first
   * @param starts the first moments of the periods, in the calendar of the coordinate
   * @param values with one index for each period, in the place of the resampled dimension
   */
  public record Resampled(List<String> dimensions, List<CalendarDate> starts, NdArray values) {
    /** Copies the lists. */
    public Resampled {
      dimensions = List.copyOf(dimensions);
      starts = List.copyOf(starts);
    }
  }

  /** Returns the same periods, in which a missing value counts: {@code skipna=False}. */
  public Resampling keepingMissing() {
    return new Resampling(dataset, dimension, period, true);
  }

  /** Computes {@link Statistic#MEAN} of a variable in each period. */
  public Mono<Resampled> mean(String variable) {
    return only(variable, Statistic.MEAN);
  }

  /** Computes {@link Statistic#SUM} of a variable in each period. */
  public Mono<Resampled> sum(String variable) {
    return only(variable, Statistic.SUM);
  }

  /** Computes {@link Statistic#MIN} of a variable in each period. */
  public Mono<Resampled> min(String variable) {
    return only(variable, Statistic.MIN);
  }

  /** Computes {@link Statistic#MAX} of a variable in each period. */
  public Mono<Resampled> max(String variable) {
    return only(variable, Statistic.MAX);
  }

  private Mono<Resampled> only(String variable, Statistic statistic) {
    return statistics(variable, Set.of(), statistic)
        .map(all -> Objects.requireNonNull(all.get(statistic)));
  }

  /**
   * Computes statistics of a variable in each period, while it reads the chunks once.
   *
   * @param over further dimensions, which the values lack
   */
  public Mono<Map<Statistic, Resampled>> statistics(
      String variable, Set<String> over, Statistic... statistics) {
    Variable of = dataset.variable(variable);
    if (!of.dimensions().contains(dimension) || !of.dimensions().containsAll(over)) {
      throw new IllegalArgumentException(
          of + " has the dimensions " + of.dimensions() + ", not " + dimension + " and " + over);
    }
    return dataset
        .index(dimension)
        .flatMap(index -> statistics(of, over, times(index), statistics));
  }

  private TimeIndex times(CoordinateIndex<?> index) {
    if (index instanceof TimeIndex times && times.calendar() != null) {
      return times;
    }
    throw new IllegalArgumentException(
        "the coordinate " + dimension + " has no dates, which a calendar's periods need");
  }

  private Mono<Map<Statistic, Resampled>> statistics(
      Variable variable, Set<String> over, TimeIndex times, Statistic... statistics) {
    CfCalendar calendar = Objects.requireNonNull(times.calendar());
    long[] numbers = new long[times.size()];
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (int i = 0; i < numbers.length; i++) {
      if (!times.isMissing(i)) {
        numbers[i] = period.number(times.date(i));
        first = Math.min(first, numbers[i]);
        last = Math.max(last, numbers[i]);
      }
    }
    long count = first > last ? 0 : last - first + 1;
    if (count > MOST_PERIODS) {
      throw new IllegalArgumentException(
          "the times of " + dimension + " span " + count + " periods, more than " + MOST_PERIODS);
    }
    int[] groups = new int[numbers.length];
    List<CalendarDate> starts = new ArrayList<>();
    for (int p = 0; p < count; p++) {
      starts.add(period.start(calendar, first + p));
    }
    for (int i = 0; i < groups.length; i++) {
      groups[i] = times.isMissing(i) ? -1 : (int) (numbers[i] - first);
    }
    Reduction reduction =
        new Reduction(
            variable,
            variable.cells(
                (name, axis) ->
                    name.equals(dimension)
                        ? CellAxis.grouped(name, axis, starts.size(), groups)
                        : over.contains(name)
                            ? CellAxis.reduced(name, axis)
                            : CellAxis.kept(name, axis)),
            keepsMissing);
    return reduction
        .statistics(statistics)
        .map(
            all -> {
              Map<Statistic, Resampled> results = new java.util.EnumMap<>(Statistic.class);
              all.forEach(
                  (statistic, values) ->
                      results.put(
                          statistic, new Resampled(reduction.dimensions(), starts, values)));
              return results;
            });
  }
}
