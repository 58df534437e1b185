package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonBoolean;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A column of a table: values as they are, values of which some are missing, or numbers of
 * categories. Immutable and thread-safe; publishers are as those of {@link AnnData}.
 */
public final class AnnColumn {
  private static final List<String> NULLABLE =
      List.of("nullable-integer", "nullable-boolean", "nullable-string-array");

  private final String name;
  private final ZarrArray stored;
  private final @Nullable ZarrArray mask;
  private final @Nullable NdArray categories;
  private final boolean ordered;

  private AnnColumn(
      String name,
      ZarrArray stored,
      @Nullable ZarrArray mask,
      @Nullable NdArray categories,
      boolean ordered) {
    this.name = name;
    this.stored = stored;
    this.mask = mask;
    this.categories = categories;
    this.ordered = ordered;
    check(stored.shape().rank() == 1, stored, "one dimension");
    if (mask != null) {
      check(mask.shape().equals(stored.shape()), mask, "as many elements as there are values");
      check(mask.dataType() instanceof BoolType, mask, "the data type bool");
    }
    if (categories != null) {
      check(stored.dataType() instanceof IntegerType, stored, "integers, which number categories");
      check(categories.shape().rank() == 1, stored, "a list of categories");
    }
  }

  private static void check(boolean holds, ZarrArray array, String expected) {
    if (!holds) {
      throw new MetadataException(
          "expected " + expected + ", found " + array.dataType() + " of shape " + array.shape(),
          AnnEncoding.location(array));
    }
  }

  static Mono<AnnColumn> of(ZarrGroup table, String name) {
    return table.open(name).flatMap(node -> of(table, name, node));
  }

  private static Mono<AnnColumn> of(ZarrGroup table, String name, ZarrNode node) {
    if (node instanceof ZarrArray array) {
      String categories = AnnEncoding.text(array, "categories"); // of AnnData before 0.8
      return categories.isEmpty()
          ? Mono.fromCallable(() -> new AnnColumn(name, array, null, null, false))
          : table.openArray(categories).flatMap(list -> categorical(name, array, list, list));
    }
    String encoding = AnnEncoding.of(node);
    if (node instanceof ZarrGroup group && encoding.equals("categorical")) {
      return arrays(group, "codes", "categories")
          .flatMap(parts -> categorical(name, parts.get(0), parts.get(1), group));
    } else if (node instanceof ZarrGroup group && NULLABLE.contains(encoding)) {
      return arrays(group, "values", "mask")
          .map(parts -> new AnnColumn(name, parts.get(0), parts.get(1), null, false));
    }
    return Mono.error(
        () ->
            new UnsupportedFeatureException(
                "the column \""
                    + name
                    + "\" has the encoding-type \""
                    + encoding
                    + "\"; arrays, categorical and "
                    + String.join(", ", NULLABLE)
                    + " are read",
                AnnEncoding.location(node)));
  }

  private static Mono<List<ZarrArray>> arrays(ZarrGroup group, String first, String second) {
    return Concurrently.mapInOrder(Flux.just(first, second), 2, group::openArray).collectList();
  }

  private static Mono<AnnColumn> categorical(
      String name, ZarrArray codes, ZarrArray categories, ZarrNode told) {
    boolean ordered =
        told.attributes().get("ordered") instanceof JsonBoolean given && given.value();
    return categories.read().map(list -> new AnnColumn(name, codes, null, list, ordered));
  }

  /** The name, also of the labels of rows. */
  public String name() {
    return name;
  }

  /** The number of rows. */
  public long rows() {
    return stored.shape().extent(0);
  }

  /** The type of the values; of a categorical column that of its categories. */
  public DataType dataType() {
    return categories == null ? stored.dataType() : categories.dataType();
  }

  /** The categories in their order; empty for a column of another kind. They are in memory. */
  public Optional<NdArray> categories() {
    return Optional.ofNullable(categories);
  }

  /** Returns true if the order of the categories means something. */
  public boolean isOrdered() {
    return ordered;
  }

  /** Returns true if values may be missing. */
  public boolean isNullable() {
    return mask != null || categories != null;
  }

  /** Reads all values, as {@link #read(long, long)}. */
  public Mono<AnnValues> read() {
    return read(0, rows());
  }

  /**
   * Reads the values of rows. {@link MetadataException} if a category has a number that the list
   * lacks. Other errors are those of {@link ZarrArray#read(Selection)}.
   *
   * @param from the first row
   * @param to the row after the last one
   * @throws IndexOutOfBoundsException if the table lacks these rows
   */
  public Mono<AnnValues> read(long from, long to) {
    Objects.checkFromToIndex(from, to, rows());
    Selection rows = Selection.of(DimensionSelection.slice(from, to));
    ZarrArray missing = mask;
    Flux<ZarrArray> parts = missing == null ? Flux.just(stored) : Flux.just(stored, missing);
    return Concurrently.mapInOrder(parts, 2, array -> array.read(rows))
        .collectList()
        .map(read -> values(from, read));
  }

  private AnnValues values(long from, List<NdArray> read) {
    NdArray values = read.get(0);
    if (categories != null) {
      return AnnValues.ofCategories(from, values, categories, AnnEncoding.location(stored));
    }
    return AnnValues.of(from, values, read.size() == 1 ? null : read.get(1).toBooleanArray());
  }

  /**
   * Reads all values in blocks that follow one another, each when the one before has been taken;
   * errors are those of {@link #read(long, long)}.
   *
   * @param rows the number of rows of a block; the last one may have fewer
   * @throws IllegalArgumentException for less than one row
   */
  public Flux<AnnValues> blocks(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("a block has at least one row, not " + rows);
    }
    long total = rows();
    return Flux.<Long, Long>generate(
            () -> 0L,
            (from, sink) -> {
              if (from >= total) {
                sink.complete();
              } else {
                sink.next(from);
              }
              return from + rows;
            })
        .concatMap(from -> read(from, Math.min(total, from + rows)), 1);
  }

  /** Returns a text for people: the name, the type of the values, and the number of rows. */
  @Override
  public String toString() {
    return name
        + " "
        + (categories == null ? "" : "categories of ")
        + dataType()
        + " ["
        + rows()
        + "]";
  }
}
