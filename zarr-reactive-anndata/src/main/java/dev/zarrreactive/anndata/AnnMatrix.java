package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A matrix of AnnData: an array, or the stored values of a sparse matrix, compressed by rows (CSR)
 * or by columns (CSC). A line is a row or a column, along which the matrix is compressed. Immutable
 * and thread-safe; publishers are as those of {@link AnnData}.
 */
public final class AnnMatrix {
  /** How many places of lines are read at a time by {@link #stream}. */
  private static final int WINDOW = 1 << 16;

  private static final List<String> DENSE = List.of("", "array");

  private final ZarrNode node;
  private final @Nullable ZarrArray dense;
  private final @Nullable Compressed sparse;
  private final long rows;
  private final long columns;

  private record Compressed(boolean byRows, ZarrArray starts, ZarrArray others, ZarrArray values) {}

  private AnnMatrix(
      ZarrNode node,
      @Nullable ZarrArray dense,
      @Nullable Compressed sparse,
      long rows,
      long columns) {
    this.node = node;
    this.dense = dense;
    this.sparse = sparse;
    this.rows = rows;
    this.columns = columns;
  }

  static Mono<AnnMatrix> of(ZarrNode node) {
    String encoding = AnnEncoding.of(node);
    if (node instanceof ZarrArray array && DENSE.contains(encoding) && array.shape().rank() == 2) {
      return Mono.just(
          new AnnMatrix(array, array, null, array.shape().extent(0), array.shape().extent(1)));
    } else if (node instanceof ZarrGroup group
        && (encoding.equals("csr_matrix") || encoding.equals("csc_matrix"))) {
      return Concurrently.mapInOrder(Flux.just("indptr", "indices", "data"), 3, group::openArray)
          .collectList()
          .map(parts -> sparse(group, encoding.equals("csr_matrix"), parts));
    }
    String found = node instanceof ZarrArray array ? "an array of shape " + array.shape() : "";
    return Mono.error(
        () ->
            new UnsupportedFeatureException(
                "expected a matrix: an array of two dimensions, csr_matrix or csc_matrix; found "
                    + (DENSE.contains(encoding) && !found.isEmpty()
                        ? found
                        : "the encoding-type \"" + encoding + '"'),
                AnnEncoding.location(node)));
  }

  private static AnnMatrix sparse(ZarrGroup group, boolean byRows, List<ZarrArray> parts) {
    LocatedJson shape = AnnEncoding.member(group, "shape");
    long[] extents = shape.integers(0, Long.MAX_VALUE);
    if (extents.length != 2) {
      throw shape.expected("a number of rows and one of columns");
    }
    Compressed sparse = new Compressed(byRows, parts.get(0), parts.get(1), parts.get(2));
    checkLength(sparse.starts, (byRows ? extents[0] : extents[1]) + 1, "one more than lines");
    checkLength(sparse.others, -1, "one for each value");
    checkLength(sparse.values, sparse.others.shape().extent(0), "one for each index");
    checkIntegers(sparse.starts);
    checkIntegers(sparse.others);
    return new AnnMatrix(group, null, sparse, extents[0], extents[1]);
  }

  private static void checkLength(ZarrArray array, long expected, String meaning) {
    boolean isLine = array.shape().rank() == 1;
    if (!isLine || (expected >= 0 && array.shape().extent(0) != expected)) {
      throw new MetadataException(
          "expected "
              + (expected < 0 ? "a list of elements" : expected + " elements")
              + ", "
              + meaning
              + "; found the shape "
              + array.shape(),
          AnnEncoding.location(array));
    }
  }

  private static void checkIntegers(ZarrArray array) {
    if (!(array.dataType() instanceof IntegerType)) {
      throw new MetadataException(
          "expected integers, found " + array.dataType(), AnnEncoding.location(array));
    }
  }

  /** The node of the matrix: an array or a group. */
  public ZarrNode node() {
    return node;
  }

  /** The number of rows. */
  public long rows() {
    return rows;
  }

  /** The number of columns. */
  public long columns() {
    return columns;
  }

  /** Returns true if only some values are stored, and the others are 0. */
  public boolean isSparse() {
    return sparse != null;
  }

  /** Returns true if a line is a row; an array has rows, too. */
  public boolean isByRows() {
    return sparse == null || sparse.byRows;
  }

  /** The number of values that are stored. */
  public long storedValues() {
    return dense != null
        ? dense.shape().elementCount().longValueExact()
        : Objects.requireNonNull(sparse).values.shape().extent(0);
  }

  /** The type of the values. */
  public DataType dataType() {
    return dense != null ? dense.dataType() : Objects.requireNonNull(sparse).values.dataType();
  }

  /** The array of a matrix that is not sparse. */
  public Optional<ZarrArray> array() {
    return Optional.ofNullable(dense);
  }

  /**
   * Reads rows of a sparse matrix; three requests for chunks at a time at most. {@link
   * MetadataException} if the stored places contradict the shape. Other errors are those of {@link
   * ZarrArray#read(Selection)}; a part that is too large for an array of Java is refused, and
   * {@link #stream} reads it.
   *
   * @param from the first row
   * @param to the row after the last one
   * @throws IndexOutOfBoundsException if the matrix lacks these rows
   * @throws UnsupportedFeatureException if the matrix is an array, or compressed by columns
   */
  public Mono<AnnSparsePart> readRows(long from, long to) {
    return readLines(true, from, to);
  }

  /** Reads columns of a sparse matrix that is compressed by columns, as {@link #readRows}. */
  public Mono<AnnSparsePart> readColumns(long from, long to) {
    return readLines(false, from, to);
  }

  private Mono<AnnSparsePart> readLines(boolean areRows, long from, long to) {
    Compressed matrix = compressed();
    if (matrix.byRows != areRows) {
      throw new UnsupportedFeatureException(
          "the matrix is compressed by "
              + (areRows ? "columns: read columns" : "rows: read rows")
              + ", or stream it whole",
          AnnEncoding.location(node));
    }
    Objects.checkFromToIndex(from, to, lines());
    return starts(matrix, from, to).flatMap(starts -> part(matrix, from, starts));
  }

  /**
   * Reads lines of a sparse matrix in parts that follow one another, each when the one before has
   * been taken. Errors are those of {@link #readRows}.
   *
   * @param from the first line
   * @param to the line after the last one
   * @param most the most stored values of a part, of which a single line may have more
   * @throws IndexOutOfBoundsException if the matrix lacks these lines
   * @throws IllegalArgumentException for less than one value
   * @throws UnsupportedFeatureException if the matrix is an array
   */
  public Flux<AnnSparsePart> stream(long from, long to, int most) {
    Compressed matrix = compressed();
    Objects.checkFromToIndex(from, to, lines());
    if (most < 1) {
      throw new IllegalArgumentException("a part has at least one value, not " + most);
    }
    return Flux.<Long, Long>generate(
            () -> from,
            (line, sink) -> {
              if (line >= to) {
                sink.complete();
              } else {
                sink.next(line);
              }
              return line + WINDOW;
            })
        .concatMap(
            line ->
                starts(matrix, line, Math.min(to, line + WINDOW))
                    .flatMapIterable(starts -> cut(line, starts, most)),
            1)
        .concatMap(cut -> part(matrix, cut.line, cut.starts), 1);
  }

  /** Lines that are read together, and where their values begin and end. */
  private static final class Cut {
    private final long line;
    private final long[] starts;

    Cut(long line, long[] starts) {
      this.line = line;
      this.starts = starts;
    }
  }

  private static List<Cut> cut(long first, long[] starts, int most) {
    List<Cut> cuts = new ArrayList<>();
    int from = 0;
    for (int line = 1; line < starts.length; line++) {
      boolean isLast = line == starts.length - 1;
      if (isLast || starts[line + 1] - starts[from] > most) {
        cuts.add(new Cut(first + from, Arrays.copyOfRange(starts, from, line + 1)));
        from = line;
      }
    }
    return cuts;
  }

  private Compressed compressed() {
    if (sparse == null) {
      throw new UnsupportedFeatureException(
          "the matrix is an array: read it by array()", AnnEncoding.location(node));
    }
    return sparse;
  }

  private long lines() {
    return isByRows() ? rows : columns;
  }

  /** Reads where the values of lines begin, and where those of the last one end. */
  private static Mono<long[]> starts(Compressed matrix, long from, long to) {
    long stored = matrix.values.shape().extent(0);
    return matrix
        .starts
        .read(Selection.of(DimensionSelection.slice(from, to + 1)))
        .map(AnnEncoding::longs)
        .doOnNext(
            starts -> {
              long last = 0;
              for (int line = 0; line < starts.length; line++) {
                if (starts[line] < last || starts[line] > stored) {
                  throw new MetadataException(
                      "line "
                          + (from + line)
                          + " begins at the value "
                          + starts[line]
                          + "; expected "
                          + last
                          + " to "
                          + stored,
                      AnnEncoding.location(matrix.starts));
                }
                last = starts[line];
              }
            });
  }

  private Mono<AnnSparsePart> part(Compressed matrix, long first, long[] starts) {
    long from = starts[0];
    Selection stored = Selection.of(DimensionSelection.slice(from, starts[starts.length - 1]));
    return Concurrently.mapInOrder(
            Flux.just(matrix.others, matrix.values), 2, array -> array.read(stored))
        .collectList()
        .map(
            read -> {
              long[] others = AnnEncoding.longs(read.get(0));
              checkPlaces(matrix, from, others);
              int[] relative = new int[starts.length];
              Arrays.setAll(relative, line -> Math.toIntExact(starts[line] - from));
              return new AnnSparsePart(first, matrix.byRows, relative, others, read.get(1));
            });
  }

  private void checkPlaces(Compressed matrix, long from, long[] others) {
    long extent = matrix.byRows ? columns : rows;
    for (int i = 0; i < others.length; i++) {
      if (others[i] < 0 || others[i] >= extent) {
        throw new MetadataException(
            "the stored value "
                + (from + i)
                + " is in "
                + (matrix.byRows ? "column " : "row ")
                + others[i]
                + ", and there are "
                + extent,
            AnnEncoding.location(matrix.others));
      }
    }
  }

  /** Returns a text for people: the path, the shape, and how the values are stored. */
  @Override
  public String toString() {
    return node.path()
        + " "
        + dataType()
        + " ["
        + rows
        + ", "
        + columns
        + "]"
        + (sparse == null ? "" : " compressed by " + (sparse.byRows ? "rows" : "columns"));
  }
}
