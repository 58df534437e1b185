package dev.zarrreactive.spark.write;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FixedLengthUtf32Type;
import dev.zarrreactive.datatype.TimeType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of rows, as many as are encoded together, with their places in a unit. */
final class ValueBuffer {
  /** The most values that are encoded together. */
  private static final int MOST = 1 << 14;

  private final CellKind kind;
  private final CfDecoding coding;
  private final List<Object> values = new ArrayList<>();
  private final List<Integer> places = new ArrayList<>();
  private @Nullable ElementMemory missing;

  /** Takes stored elements with their places. */
  interface Stored {
    /**
     * Takes the element {@code i} of {@code elements}.
     *
     * @param place its place in the unit
     */
    void put(int place, ElementMemory elements, int i);
  }

  ValueBuffer(CellKind kind, CfDecoding coding) {
    this.kind = kind;
    this.coding = coding;
  }

  /**
   * Adds a value of Spark.
   *
   * @param value null for a missing one
   */
  void add(@Nullable Object value, int place, Stored stored) {
    if (value == null) {
      stored.put(place, missing(), 0);
      return;
    }
    values.add(kind.of(value));
    places.add(place);
    if (values.size() == MOST) {
      flush(stored);
    }
  }

  /** Encodes the values that are left. */
  void flush(Stored stored) {
    if (values.isEmpty()) {
      return;
    }
    ElementMemory elements = encoded(values);
    for (int i = 0; i < values.size(); i++) {
      stored.put(places.get(i), elements, i);
    }
    values.clear();
    places.clear();
  }

  private ElementMemory encoded(List<Object> all) {
    try {
      return elements(all);
    } catch (IllegalArgumentException e) {
      for (Object value : all) { // finds the one value that does not fit
        try {
          elements(List.of(value));
        } catch (IllegalArgumentException one) {
          throw new IllegalArgumentException(
              "the value " + kind.text(value) + ": " + one.getMessage(), one);
        }
      }
      throw e;
    }
  }

  private ElementMemory elements(List<Object> all) {
    return ElementMemory.of(stored(kind, all, coding).toContiguous());
  }

  /** Returns values in the form of their kind as stored elements. */
  static NdArray stored(CellKind kind, List<Object> all, CfDecoding coding) {
    NdArray decoded = decoded(kind, all, coding);
    return decoded.dataType().equals(coding.storedType()) && coding.isIdentity()
        ? decoded
        : coding.encode(decoded);
  }

  /** Returns values in the form of their kind as an array. */
  static NdArray decoded(CellKind kind, List<Object> all, CfDecoding coding) {
    Shape shape = Shape.of(all.size());
    return switch (kind) {
      case BOOLEAN -> {
        boolean[] booleans = new boolean[all.size()];
        for (int i = 0; i < booleans.length; i++) {
          booleans[i] = (Boolean) all.get(i);
        }
        yield NdArray.ofBooleans(shape, booleans);
      }
      case WHOLE -> NdArray.ofLongs(DataTypes.INT64, shape, longs(all));
      case UNSIGNED -> NdArray.ofLongs(DataTypes.UINT64, shape, longs(all));
      case FLOAT, DOUBLE ->
          NdArray.ofDoubles(
              shape, all.stream().mapToDouble(value -> ((Number) value).doubleValue()).toArray());
      case TIME, LENGTH ->
          coding.storedType() instanceof TimeType type
              ? Micros.counts(longs(all), type)
              : NdArray.ofLongs(
                  kind == CellKind.TIME ? Micros.TIME : Micros.LENGTH, shape, longs(all));
      case TEXT ->
          NdArray.ofStrings(
              coding.storedType() instanceof FixedLengthUtf32Type
                  ? coding.storedType()
                  : DataTypes.STRING,
              shape,
              all.toArray(String[]::new));
      case BINARY ->
          NdArray.ofByteStrings(
              shape, all.stream().map(value -> Bytes.wrap((byte[]) value)).toArray(Bytes[]::new));
    };
  }

  private static long[] longs(List<Object> all) {
    return all.stream().mapToLong(value -> (Long) value).toArray();
  }

  /** Returns the stored element of a missing value, as an array of one. */
  private ElementMemory missing() {
    ElementMemory known = missing;
    if (known == null) {
      known = ElementMemory.of(missing(kind, coding).toContiguous());
      missing = known;
    }
    return known;
  }

  private static NdArray missing(CellKind kind, CfDecoding coding) {
    Shape one = Shape.of(1);
    boolean hasNone =
        kind == CellKind.TEXT
            || kind == CellKind.BINARY
            || coding.storedType() instanceof BoolType
            || (kind == CellKind.BOOLEAN);
    if (!hasNone) {
      try {
        if (coding.storedType() instanceof TimeType type) {
          return NdArray.ofLongs(type, one, TimeType.NAT);
        }
        NdArray decoded =
            kind == CellKind.TIME || kind == CellKind.LENGTH
                ? NdArray.ofLongs(
                    kind == CellKind.TIME ? Micros.TIME : Micros.LENGTH, one, TimeType.NAT)
                : NdArray.ofDoubles(one, Double.NaN);
        return coding.encode(decoded);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "NULL cannot be stored as "
                + coding.storedType()
                + ": "
                + e.getMessage()
                + "; the option missing.NAME chooses one for a new variable",
            e);
      }
    }
    throw new IllegalArgumentException("NULL cannot be stored as " + coding.storedType());
  }
}
