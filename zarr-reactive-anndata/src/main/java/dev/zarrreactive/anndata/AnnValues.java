package dev.zarrreactive.anndata;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of rows of a column. Immutable. */
public final class AnnValues {
  private final long first;
  private final NdArray elements;
  private final boolean @Nullable [] missing;
  private final int @Nullable [] places;

  private AnnValues(
      long first, NdArray elements, boolean @Nullable [] missing, int @Nullable [] places) {
    this.first = first;
    this.elements = elements;
    this.missing = missing;
    this.places = places;
  }

  static AnnValues of(long first, NdArray elements, boolean @Nullable [] missing) {
    return new AnnValues(first, elements, missing, null);
  }

  static AnnValues ofCategories(long first, NdArray codes, NdArray categories, Location location) {
    int count = (int) categories.shape().extent(0);
    long[] numbers = AnnEncoding.longs(codes);
    int[] places = new int[numbers.length];
    for (int row = 0; row < places.length; row++) {
      long code = numbers[row];
      if (code < -1 || code >= count) {
        throw new MetadataException(
            "row "
                + (first + row)
                + " has the category "
                + code
                + ", and there are "
                + count
                + ", counted from 0",
            location);
      }
      places[row] = (int) code;
    }
    return new AnnValues(first, categories, null, places);
  }

  /** The row of the first value in the table. */
  public long first() {
    return first;
  }

  /** The number of rows. */
  public int size() {
    return places == null ? (int) elements.shape().extent(0) : places.length;
  }

  /**
   * Returns true if a row has no value. NaN is a value.
   *
   * @param row counted from 0, the first one of these
   */
  public boolean isMissing(int row) {
    Objects.checkIndex(row, size());
    return (missing != null && missing[row]) || (places != null && places[row] < 0);
  }

  /** Returns the number of a row's category; -1 if it is missing, or there are no categories. */
  public int category(int row) {
    Objects.checkIndex(row, size());
    return places == null ? -1 : places[row];
  }

  /** Returns the value of a row as JSON, as {@link NdArray#toJson}; empty for a missing one. */
  public Optional<JsonValue> value(int row) {
    return isMissing(row) ? Optional.empty() : Optional.of(elements.toJson(place(row)));
  }

  /**
   * Returns the value of a row as text, numbers in the notation of JSON; empty for a missing one.
   */
  public Optional<String> text(int row) {
    return value(row)
        .map(value -> value instanceof JsonString text ? text.value() : value.toString());
  }

  /**
   * Returns the number of a row; NaN for a missing one.
   *
   * @throws IllegalArgumentException if the values are no numbers of up to 53 bits
   */
  public double number(int row) {
    return isMissing(row) ? Double.NaN : elements.getDouble(place(row));
  }

  /**
   * Returns the values as they are stored, without what is missing: where a row has none, the
   * element is any. Of a categorical column, these are the categories.
   */
  public NdArray elements() {
    return elements;
  }

  private int place(int row) {
    return places == null ? row : places[row];
  }
}
