package dev.zarrreactive.dataset;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.cf.CalendarDate;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.TimeType;
import java.math.BigDecimal;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The groups of the positions of a dimension. */
final class Groups {
  /** The most periods of one dimension. */
  private static final long MOST_PERIODS = 1L << 24;

  private final int[] numbers;
  private final Variable labels;

  private Groups(int[] numbers, Variable labels) {
    this.numbers = numbers;
    this.labels = labels;
  }

  /** The group of each position; -1 for none. */
  int[] numbers() {
    return numbers;
  }

  /** The coordinate of the groups, with its name. */
  Variable labels() {
    return labels;
  }

  /** Returns the number of groups. */
  int count() {
    return (int) labels.shape().extent(0);
  }

  /** Returns the periods from that of the first time to that of the last one. */
  static Groups periods(Variable coordinate, CoordinateIndex<?> index, CalendarPeriod period) {
    TimeIndex times = dates(coordinate, index);
    CalendarDate first = null;
    for (int i = 0; i < times.size(); i++) {
      if (!times.isMissing(i) && (first == null || times.date(i).compareTo(first) < 0)) {
        first = times.date(i);
      }
    }
    int[] numbers = new int[times.size()];
    long count = 0;
    for (int i = 0; i < numbers.length; i++) {
      long number = first == null || times.isMissing(i) ? -1 : period.number(first, times.date(i));
      if (number >= MOST_PERIODS) {
        throw new IllegalArgumentException(
            "the times of " + coordinate.name() + " span more than " + MOST_PERIODS + " periods");
      }
      numbers[i] = (int) number;
      count = Math.max(count, number + 1);
    }
    List<CalendarDate> starts = new ArrayList<>();
    for (int p = 0; first != null && p < count; p++) {
      starts.add(period.start(first, p));
    }
    return new Groups(numbers, labels(coordinate, times, starts));
  }

  private static Variable labels(Variable coordinate, TimeIndex times, List<CalendarDate> starts) {
    List<String> dimension = List.of(coordinate.name());
    MemoryValues values =
        coordinate
            .times()
            .map(coding -> new MemoryValues(dimension, coding.counts(starts), coding))
            .orElseGet(
                () ->
                    new MemoryValues(
                        dimension,
                        NdArray.ofLongs(
                            coordinate.dataType(),
                            Shape.of(starts.size()),
                            starts.stream().mapToLong(times::count).toArray()),
                        null));
    return new Variable(coordinate.name(), coordinate.attributes(), values);
  }

  /** Returns the groups of a part of the dates, those that are there. */
  static Groups parts(Variable coordinate, CoordinateIndex<?> index, CalendarPart part) {
    TimeIndex times = dates(coordinate, index);
    Map<Long, Integer> found = new TreeMap<>();
    long[] all = new long[times.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = times.isMissing(i) ? TimeType.NAT : part.number(times.date(i));
      if (!times.isMissing(i)) {
        found.put(all[i], 0);
      }
    }
    int next = 0;
    for (Map.Entry<Long, Integer> group : found.entrySet()) {
      group.setValue(next++);
    }
    int[] numbers = new int[all.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = found.getOrDefault(all[i], -1);
    }
    List<String> dimension = List.of(part.label());
    Stream<Object> labels = found.keySet().stream().map(part::labelOf);
    Shape shape = Shape.of(found.size());
    NdArray values =
        part == CalendarPart.SEASON
            ? NdArray.ofStrings(DataTypes.STRING, shape, labels.toArray(String[]::new))
            : NdArray.ofLongs(
                DataTypes.INT64, shape, labels.mapToLong(label -> (long) label).toArray());
    return new Groups(numbers, Variable.of(part.label(), dimension, values));
  }

  /**
   * Returns the groups of equal labels, in their order.
   *
   * @param values the labels of all positions
   */
  static Groups labels(Variable coordinate, NdArray values) {
    List<Comparable<?>> all = comparable(coordinate, values);
    Map<Comparable<?>, Integer> firsts = new TreeMap<>();
    for (int i = 0; i < all.size(); i++) {
      if (!isNan(all.get(i))) {
        firsts.putIfAbsent(all.get(i), i);
      }
    }
    long[] positions = firsts.values().stream().mapToLong(position -> position).toArray();
    Map<Comparable<?>, Integer> found = new HashMap<>();
    firsts.keySet().forEach(label -> found.put(label, found.size()));
    int[] numbers = all.stream().mapToInt(label -> found.getOrDefault(label, -1)).toArray();
    String name = coordinate.name();
    MemoryValues unique =
        new MemoryValues(coordinate.dimensions(), values, coordinate.times().orElse(null))
            .with(coordinate.dimensions().get(0), new Axis.Indices(positions))
            .renamed(coordinate.dimensions().get(0), name);
    return new Groups(numbers, new Variable(name, coordinate.attributes(), unique));
  }

  /** Returns labels that can be compared; NaN for those that are missing. */
  private static List<Comparable<?>> comparable(Variable coordinate, NdArray values) {
    DataType type = values.dataType();
    boolean areTimes = coordinate.times().isPresent() || type instanceof TimeType;
    List<Comparable<?>> all = new ArrayList<>();
    if (type.equals(DataTypes.STRING) || type instanceof FixedLengthUtf32Type) {
      all.addAll(List.of(values.toStringArray()));
    } else if (areTimes) {
      for (long value : values.toLongArray()) {
        all.add(value == TimeType.NAT ? (Comparable<?>) Double.NaN : (Comparable<?>) value);
      }
    } else if (type.equals(DataTypes.UINT64)) {
      LongBuffer bits = values.toContiguous().asLongBuffer();
      while (bits.hasRemaining()) {
        all.add(bits.get() ^ Long.MIN_VALUE); // less 2^63, which keeps the order
      }
    } else if (type instanceof IntegerType) {
      for (long value : values.cast(DataTypes.INT64).toLongArray()) {
        all.add(value);
      }
    } else {
      for (double value : values.cast(DataTypes.FLOAT64).toDoubleArray()) {
        all.add(value == 0 ? 0.0 : value); // -0.0 equals 0.0
      }
    }
    return all;
  }

  private static boolean isNan(Object label) {
    return label instanceof Double real && real.isNaN();
  }

  /**
   * Returns the position of each of these groups among those of another dataset, -1 for none.
   * Numbers are compared by their value, whatever their types, and times as instants.
   *
   * @param others the labels of the others
   */
  long[] among(Variable other, NdArray others) {
    Map<Object, Long> places = new HashMap<>();
    for (int i = 0; i < others.shape().extent(0); i++) {
      places.put(key(other, others, i), (long) i);
    }
    NdArray own = ((MemoryValues) labels.values()).array();
    long[] positions = new long[count()];
    Arrays.setAll(positions, group -> places.getOrDefault(key(labels, own, group), -1L));
    return positions;
  }

  /** Returns what equals the same label of another type or unit. */
  private static Object key(Variable of, NdArray values, int position) {
    DataType type = values.dataType();
    Optional<TimeCoding> coding = of.times();
    if (type instanceof TimeType && values.getLong(position) == TimeType.NAT) {
      return Double.NaN;
    } else if (type instanceof Datetime64Type) {
      return values.getInstant(position);
    } else if (type instanceof TimeType) {
      return values.getDuration(position);
    } else if (coding.isPresent()) {
      return coding.get().text(values.getLong(position));
    } else if (type.equals(DataTypes.STRING) || type instanceof FixedLengthUtf32Type) {
      return values.getString(position);
    } else if (type instanceof IntegerType) {
      return new BigDecimal(values.getBigInteger(position)).stripTrailingZeros();
    }
    double real = values.cast(DataTypes.FLOAT64).getDouble(position);
    return Double.isFinite(real) ? new BigDecimal(real).stripTrailingZeros() : (Object) real;
  }

  private static TimeIndex dates(Variable coordinate, CoordinateIndex<?> index) {
    if (index instanceof TimeIndex times && times.calendar() != null) {
      return times;
    }
    throw new IllegalArgumentException(
        "the coordinate "
            + coordinate.name()
            + " has no dates, which a calendar's periods and parts need");
  }
}
