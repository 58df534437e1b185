package dev.zarrreactive.dataset;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cf.CfDecoding;
import dev.zarrreactive.cf.TimeCoding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.Location;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Values in memory.
 *
 * @param dimensions the names of the dimensions of the array
 * @param coding of times; null for other values, and for times that are {@code numpy.datetime64}
 */
record MemoryValues(List<String> dimensions, NdArray array, @Nullable TimeCoding coding)
    implements VariableValues {
  /** Made with the first array: to load codecs reads files, which no codec thread may. */
  static final ZarrOptions OPTIONS = ZarrOptions.defaults();

  MemoryValues(List<String> dimensions, NdArray array) {
    this(dimensions, array, null);
  }

  MemoryValues {
    dimensions = List.copyOf(dimensions);
    if (dimensions.size() != array.shape().rank()) {
      throw new IllegalArgumentException(
          "the values have the shape " + array.shape() + ", but dimensions " + dimensions);
    } else if (dimensions.stream().distinct().count() != dimensions.size()) {
      throw new IllegalArgumentException("a dimension is there twice: " + dimensions);
    }
  }

  @Override
  public DataType dataType() {
    return array.dataType();
  }

  @Override
  public Shape shape() {
    return array.shape();
  }

  @Override
  public Axis positions(int dimension) {
    return new Axis.Range(0, shape().extent(dimension), 1, false);
  }

  @Override
  public Optional<Long> chunk(int dimension) {
    return Optional.empty();
  }

  @Override
  public MemoryValues with(String dimension, Axis positions) {
    int changed = dimensions.indexOf(dimension);
    if (changed < 0) {
      return this;
    }
    List<Axis> axes = new ArrayList<>();
    for (int d = 0; d < dimensions.size(); d++) {
      axes.add(d == changed ? positions : positions(d));
    }
    List<String> names = new ArrayList<>(dimensions);
    if (positions instanceof Axis.Range range && range.dropped()) {
      names.remove(changed);
    }
    return new MemoryValues(
        names, array.slice(any -> new ResolvedSelection.Orthogonal(axes)), coding);
  }

  @Override
  public MemoryValues renamed(String dimension, String other) {
    List<String> names = new ArrayList<>(dimensions);
    names.replaceAll(name -> name.equals(dimension) ? other : name);
    return new MemoryValues(names, array, coding);
  }

  @Override
  public Optional<TimeCoding> times() {
    return Optional.ofNullable(coding);
  }

  @Override
  public Mono<NdArray> read(Selection selection) {
    NdArray part = array.slice(selection);
    return Mono.fromSupplier(part::toContiguous);
  }

  @Override
  public Mono<ByteBuffer> readInto(Selection selection, ByteBuffer target) {
    NdArray part = array.slice(selection);
    return Mono.fromSupplier(
        () -> {
          ByteBuffer written = target.slice();
          part.copyTo(written);
          return written.flip().order(ByteOrder.LITTLE_ENDIAN);
        });
  }

  @Override
  public Flux<Chunk> chunks(Selection selection) {
    ResolvedSelection place = selection.resolve(shape());
    return Mono.fromSupplier(
            () -> new Chunk(new long[shape().rank()], place, array.slice(any -> place)))
        .flux();
  }

  @Override
  public Flux<Chunk> chunksInOrder(Selection selection) {
    return chunks(selection);
  }

  @Override
  public <T> Flux<T> chunks(boolean isInOrder, ChunkWork<T> work) {
    return chunks(Selection.all()).publishOn(options().codecScheduler()).map(work::apply);
  }

  @Override
  public @Nullable CfDecoding decoding() {
    return null;
  }

  @Override
  public ZarrOptions options() {
    return OPTIONS;
  }

  @Override
  public Location location() {
    return Location.UNKNOWN;
  }
}
