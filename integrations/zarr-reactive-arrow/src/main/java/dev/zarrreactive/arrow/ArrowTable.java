package dev.zarrreactive.arrow;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetBlock;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.rows.TableRows;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Schema;
import reactor.core.publisher.Flux;

/**
 * A dataset, or a selection of one, as record batches of Apache Arrow: a row for each cell, with a
 * column for each dimension and for each variable. The rows are those of {@code to_dataframe} of
 * xarray, in the order of aligned blocks ({@link DatasetBlock}) in place of that of the whole.
 *
 * <p>A dimension has the values of its coordinate, or its indices as {@code int64} where it has
 * none. Integers, floats, truth values and bytes of one length keep their types. Times are
 * timestamps without a zone and durations, in seconds or a smaller unit; dates of calendars that no
 * timestamp has, such as {@code 360_day}, are texts. Texts are {@code Utf8}. Complex numbers and
 * structs are structs. Small floats, such as {@code bfloat16}, are {@code float32}; integers of
 * less than a byte have one.
 *
 * <p>What is missing is null: NaT, and each NaN of a variable that is decoded, that names NaN as
 * missing, or that is calculated. A NaN of another variable stays a NaN, because it was stored.
 *
 * <p><b>Memory.</b> Arrow's memory is outside of the heap, where no chunk is decoded. So elements
 * are copied once, a whole batch of a column at a time if the variable has all dimensions of the
 * rows, and element by element otherwise. What takes a batch from there copies nothing: the C data
 * interface, the loader of another root.
 *
 * <p>The JVM needs {@code --add-opens=java.base/java.nio=ALL-UNNAMED}, or {@code
 * =org.apache.arrow.memory.core} where Arrow is on the module path. Immutable and thread-safe.
 */
public final class ArrowTable {
  /** The type of media of {@link #stream}: {@value}. */
  public static final String MEDIA_TYPE = "application/vnd.apache.arrow.stream";

  private static final int ROWS = 1 << 16;

  private final Dataset part;
  private final List<String> variables;
  private final List<String> dimensions;
  private final List<TableColumn> columns;
  private final Schema schema;
  private final long budget;
  private final int rows;

  private ArrowTable(Dataset part, List<String> variables, int rows) {
    this.part = part;
    this.variables = variables;
    this.rows = rows;
    List<Variable> all = variables.stream().map(part::variable).toList();
    this.dimensions = TableRows.dimensions(all.stream().map(Variable::dimensions).toList());
    this.columns = new ArrayList<>();
    for (String name : dimensions) {
      Variable coordinate = part.coordinates().get(name);
      boolean isIndex = coordinate != null && coordinate.dimensions().equals(List.of(name));
      columns.add(
          isIndex
              ? TableColumn.ofCoordinate(name, ColumnKinds.of(part.variable(name)))
              : TableColumn.ofIndex(name, dimensions.indexOf(name)));
    }
    for (Variable variable : all) {
      columns.add(
          TableColumn.ofVariable(variable.name(), variable.dimensions(), ColumnKinds.of(variable)));
    }
    this.schema = new Schema(columns.stream().map(TableColumn::field).toList());
    this.budget =
        all.stream()
            .filter(Variable::isStored)
            .findFirst()
            .map(variable -> variable.array().options())
            .orElse(ZarrOptions.defaults())
            .maxInFlightBytes();
  }

  /**
   * Returns the table of a dataset.
   *
   * @param names the variables, in the order of their columns; without any, all that are no
   *     coordinates of dimensions
   * @throws InvalidInputException if there is no such variable, or none at all
   * @throws UnsupportedFeatureException for values that Arrow has no type for, such as lists
   */
  public static ArrowTable of(Dataset part, String... names) {
    Set<String> chosen = new LinkedHashSet<>(List.of(names));
    if (names.length == 0) {
      chosen.addAll(part.dataVariables().keySet());
      chosen.addAll(part.coordinates().keySet());
    }
    Set<String> dimensions = new LinkedHashSet<>();
    chosen.forEach(name -> dimensions.addAll(part.variable(name).dimensions()));
    // a coordinate of a dimension has its column already
    List<String> variables =
        chosen.stream()
            .filter(name -> !dimensions.contains(name) || !isOfDimension(part.variable(name)))
            .toList();
    if (chosen.isEmpty()) {
      throw new InvalidInputException("the dataset " + part.path() + " has no variable");
    }
    return new ArrowTable(part, variables.isEmpty() ? List.copyOf(chosen) : variables, ROWS);
  }

  private static boolean isOfDimension(Variable variable) {
    return variable.dimensions().equals(List.of(variable.name()));
  }

  /**
   * Returns the same table in batches of other lengths.
   *
   * @param most the most rows of a batch, at least 1; 65,536 unless this says so
   */
  public ArrowTable withBatchRows(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a batch has at least 1 row, not " + most);
    }
    return new ArrowTable(part, variables, most);
  }

  /** The columns: dimensions, and variables after them. */
  public Schema schema() {
    return schema;
  }

  /** The number of rows; {@link Long#MAX_VALUE} for more. */
  public long rowCount() {
    return TableRows.count(part, dimensions);
  }

  /**
   * Streams the rows. A batch is made when it is demanded, on a codec thread, and at most one
   * ahead. It has as many rows as {@link #withBatchRows} says, and fewer at the end of a block, or
   * if it would take more than an eighth of {@link ZarrOptions#maxInFlightBytes}. Blocks are read
   * ahead as {@link DatasetBlock} says.
   *
   * <p><b>Who has a batch closes it.</b> That is the subscriber, from {@code onNext} on; batches
   * share nothing, and may be closed in any order, on any thread. Batches that do not reach the
   * subscriber because it has cancelled, or because of an error, are closed here. An operator
   * behind this stream that drops what it holds needs {@code doOnDiscard(VectorSchemaRoot.class,
   * VectorSchemaRoot::close)} after it. After a cancel the allocator may be closed when the last
   * batch that was being made has been: {@code doFinally} is too early.
   *
   * @param allocator of which the batches are; its limit is one of the whole. If it has no room the
   *     stream fails with {@link org.apache.arrow.memory.OutOfMemoryException}
   */
  public Flux<VectorSchemaRoot> batches(BufferAllocator allocator) {
    return Handover.of(made(allocator));
  }

  /** Returns the batches, which are made on the thread that demands them. */
  private Flux<VectorSchemaRoot> made(BufferAllocator allocator) {
    return part.blocks(variables.toArray(String[]::new))
        .concatMapDelayError(
            block ->
                new BlockBatches(block, dimensions, columns, schema, rows, budget / 8)
                    .roots(allocator),
            false,
            1);
  }

  /**
   * Streams the rows as an Arrow IPC stream, in pieces of at most 16 KiB: the body of a response of
   * {@link #MEDIA_TYPE}. Pieces are made as they are demanded, on codec threads; at most one batch
   * waits. Nothing outlives the subscription: each batch is closed before its first piece goes out.
   *
   * @param allocator of which the batches are
   */
  public Flux<Bytes> stream(BufferAllocator allocator) {
    return IpcStream.of(schema, batches(allocator));
  }

  /**
   * Returns the rows for a library that asks for them, such as DuckDB by the C data interface, or
   * for a loop: {@code while (reader.loadNextBatch())}. <b>It blocks</b> the thread that calls
   * {@code loadNextBatch}, which must not be a thread of this library, and no other one. Nothing is
   * read before the first call. The rows are in the reader's one root, without a copy, until the
   * next call. Closing it cancels the reads; an interrupt of the thread that waits does so, too.
   * For one thread at a time.
   *
   * @param allocator of which the batches are
   */
  public ArrowReader reader(BufferAllocator allocator) {
    return new BatchReader(allocator, schema, batches(allocator));
  }

  @Override
  public String toString() {
    return "Arrow table of "
        + columns.stream().map(TableColumn::name).toList()
        + " of "
        + part.path();
  }
}
