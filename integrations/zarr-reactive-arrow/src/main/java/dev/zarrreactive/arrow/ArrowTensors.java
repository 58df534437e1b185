package dev.zarrreactive.arrow;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Boxes of a variable as tensors of one shape, Arrow's canonical extension {@code
 * arrow.fixed_shape_tensor}: a batch of one row for each box, in C order of the boxes. The row has
 * the tensor, under the variable's name, and before it the index in the variable at which the box
 * begins along each dimension, such as {@code time_start}.
 *
 * <p>Elements behind the end of the variable are null. So are missing ones, as in {@link
 * ArrowTable}. Numbers, truth values, times and bytes of one length can be elements. They are
 * copied once, from the heap to Arrow's memory, in one piece where the box is whole.
 *
 * <p>Immutable and thread-safe.
 */
public final class ArrowTensors {
  private static final String NAME = "ARROW:extension:name";
  private static final String METADATA = "ARROW:extension:metadata";
  private static final int MOST_AHEAD = 8;

  private final Variable variable;
  private final long[] shape;
  private final int elements;
  private final ColumnKind kind;
  private final Schema schema;
  private final long budget;

  private ArrowTensors(Variable variable, long[] shape) {
    this.variable = variable;
    this.shape = shape;
    this.kind = ColumnKinds.of(variable);
    this.budget =
        (variable.isStored() ? variable.array().options() : ZarrOptions.defaults())
            .maxInFlightBytes();
    this.elements = elements();
    this.schema = makeSchema();
  }

  /**
   * Returns the chunks of a variable that is a whole stored array.
   *
   * @throws UnsupportedFeatureException as {@link #of(Variable, long...)}
   * @throws InvalidInputException if the variable is calculated or a selection: give a shape
   */
  public static ArrowTensors of(Variable variable) {
    if (!variable.isStored() || !variable.shape().equals(variable.array().shape())) {
      throw new InvalidInputException(
          "the variable " + variable.name() + " is no whole array: give the shape of its tensors");
    }
    int rank = variable.shape().rank();
    return of(variable, variable.array().chunkGrid().chunkShape(new long[rank]).toArray());
  }

  /**
   * Returns the boxes of a shape. A chunk that several boxes touch may be read for each of them.
   *
   * @param shape the extents of each box, at least 1, slowest first
   * @throws IllegalArgumentException for another number of extents
   * @throws InvalidInputException if a box takes more than an eighth of {@link
   *     ZarrOptions#maxInFlightBytes}
   * @throws UnsupportedFeatureException for elements that a tensor cannot have, such as texts
   */
  public static ArrowTensors of(Variable variable, long... shape) {
    if (shape.length != variable.shape().rank()
        || LongStream.of(shape).anyMatch(extent -> extent < 1)) {
      throw new IllegalArgumentException(
          "tensors of "
              + variable.name()
              + " have an extent of at least 1 for each of its dimensions "
              + variable.dimensions()
              + ", not "
              + Shape.of(shape));
    }
    return new ArrowTensors(variable, shape.clone());
  }

  private int elements() {
    if (!(kind instanceof ImageKind || kind instanceof BitKind || isConvertedImage())) {
      throw new UnsupportedFeatureException(
          "a tensor has numbers, truth values, times or bytes of one length, and "
              + variable.name()
              + " has "
              + variable.dataType().name()
              + ": read it as a table",
          variable.isStored()
              ? Location.ofNode(variable.array().path().toString())
              : Location.UNKNOWN);
    }
    long bytes = kind.width();
    for (long extent : shape) {
      bytes = extent > Long.MAX_VALUE / bytes ? Long.MAX_VALUE : bytes * extent;
    }
    if (bytes > Math.min(budget / 8, Integer.MAX_VALUE - 8)) {
      throw new InvalidInputException(
          "a tensor of shape "
              + Shape.of(shape)
              + " takes "
              + bytes
              + " bytes, more than an eighth of maxInFlightBytes, "
              + budget
              + ": give a smaller shape, or set ZarrOptions.withMaxInFlightBytes");
    }
    return (int) (bytes / kind.width());
  }

  private boolean isConvertedImage() {
    return kind instanceof ConvertedKind converted && converted.to() instanceof ImageKind;
  }

  private Schema makeSchema() {
    List<Field> fields = new ArrayList<>();
    for (String dimension : variable.dimensions()) {
      fields.add(
          new Field(
              dimension + "_start", FieldType.notNullable(new ArrowType.Int(64, true)), List.of()));
    }
    JsonValue names =
        new JsonArray(variable.dimensions().stream().<JsonValue>map(JsonString::new).toList());
    JsonObject metadata =
        JsonObject.EMPTY.with("shape", JsonArray.ofIntegers(shape)).with("dim_names", names);
    FieldType type =
        new FieldType(
            false,
            new ArrowType.FixedSizeList(elements),
            null,
            Map.of(NAME, "arrow.fixed_shape_tensor", METADATA, metadata.toString()));
    fields.add(new Field(variable.name(), type, List.of(kind.field("item"))));
    return new Schema(fields);
  }

  /** The columns: where a box begins, and the tensor. */
  public Schema schema() {
    return schema;
  }

  /** The extents of each tensor. */
  public long[] shape() {
    return shape.clone();
  }

  /**
   * Streams the boxes, a batch of one row for each. Demand, threads, cancel and <b>who closes</b>
   * are those of {@link ArrowTable#batches}; at most 8 boxes are read ahead, and as many as fit
   * into a quarter of {@link ZarrOptions#maxInFlightBytes}.
   */
  public Flux<VectorSchemaRoot> batches(BufferAllocator allocator) {
    int ahead =
        (int) Math.max(1, Math.min(MOST_AHEAD, budget / 4 / ((long) elements * kind.width())));
    return Handover.of(
        Concurrently.mapInOrder(boxes(), ahead, this::read).map(box -> root(box, allocator)));
  }

  /** Streams the boxes as an Arrow IPC stream, as {@link ArrowTable#stream}. */
  public Flux<Bytes> stream(BufferAllocator allocator) {
    return IpcStream.of(schema, batches(allocator));
  }

  /** A box that was read. */
  private static final class Box {
    final long[] from;
    final NdArray values;

    Box(long[] from, NdArray values) {
      this.from = from;
      this.values = values;
    }
  }

  /** Returns where each box begins, in C order. */
  private Flux<long[]> boxes() {
    if (variable.shape().isEmpty()) {
      return Flux.empty();
    }
    return Flux.generate(
        () -> new long[shape.length],
        (from, sink) -> {
          sink.next(from);
          long[] next = from.clone();
          for (int d = shape.length - 1; d >= 0; d--) {
            next[d] += shape[d];
            if (next[d] < variable.shape().extent(d)) {
              return next;
            }
            next[d] = 0;
          }
          sink.complete();
          return next;
        });
  }

  private Mono<Box> read(long[] from) {
    DimensionSelection[] part = new DimensionSelection[from.length];
    for (int d = 0; d < from.length; d++) {
      long end = Math.min(from[d] + shape[d], variable.shape().extent(d));
      part[d] = DimensionSelection.slice(from[d], end);
    }
    return variable.read(Selection.of(part)).map(values -> new Box(from, values.toContiguous()));
  }

  private VectorSchemaRoot root(Box box, BufferAllocator allocator) {
    ColumnKind.Values values = kind.values(box.values);
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    try {
      for (int d = 0; d < shape.length; d++) {
        BigIntVector start = (BigIntVector) root.getVector(d);
        start.allocateNew(1);
        start.set(0, box.from[d]);
        start.setValueCount(1);
      }
      FixedSizeListVector tensor = (FixedSizeListVector) root.getVector(shape.length);
      tensor.setInitialCapacity(1);
      tensor.allocateNew();
      FieldVector items = tensor.getDataVector();
      values.fill(items, new TensorPlaces(shape, box.values.shape()));
      tensor.setNotNull(0);
      tensor.setValueCount(1);
      root.setRowCount(1);
      return root;
    } catch (Throwable e) {
      root.close();
      throw e;
    }
  }

  @Override
  public String toString() {
    return "Arrow tensors of shape " + Shape.of(shape) + " of " + variable.name();
  }
}
