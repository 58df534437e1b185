package dev.zarrreactive.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import reactor.core.publisher.Flux;

/**
 * An array of int32 beside a map of its elements. Random steps change both in the same way, also
 * through handles that were opened earlier.
 */
final class GrowingModel {
  private static final int MOST = 9;

  private final Random random;
  private final ZarrHierarchy hierarchy;
  private final List<String> log = new ArrayList<>();
  private final Map<List<Long>, Integer> elements = new HashMap<>();

  /** The elements that a shrink may have left stored outside of the shape. */
  private final Map<List<Long>, Integer> left = new HashMap<>();

  private int rank;
  private int fill;
  private int next = 1000;
  private ZarrArray array;
  private ZarrArray earlier;

  GrowingModel(Store store, Random random) {
    this.random = random;
    this.hierarchy = Zarr.hierarchy(store);
    create();
  }

  private void create() {
    rank = 1 + random.nextInt(3);
    fill = random.nextBoolean() ? 0 : 7;
    elements.clear();
    left.clear();
    ArrayMetadata metadata = metadata();
    array = hierarchy.createArray("g/a", metadata).block();
    earlier = array;
    enter(new long[rank], array.shape());
    log.add("create " + metadata);
  }

  private ArrayMetadata metadata() {
    Shape shape = shape();
    long[] chunk = random.longs(rank, 1, 5).toArray();
    ArrayMetadataBuilder builder =
        ArrayMetadata.v3(shape, DataTypes.INT32)
            .uncompressed()
            .chunkShape(chunk)
            .fillValue(JsonNumber.of(fill));
    switch (random.nextInt(4)) {
      case 0 -> builder.zarrFormat(2);
      case 1 -> {
        long[] shard = chunk.clone();
        Arrays.setAll(shard, d -> shard[d] * (1 + random.nextInt(2)));
        JsonArray codecs = JsonArray.of(NamedConfiguration.of("bytes", LITTLE).toJson());
        builder
            .chunkShape(shard)
            .codecs(
                NamedConfiguration.of(
                    "sharding_indexed",
                    JsonObject.EMPTY
                        .with("chunk_shape", numbers(chunk))
                        .with("codecs", codecs)
                        .with("index_codecs", codecs)));
      }
      case 2 -> {
        JsonValue[] edges = new JsonValue[rank];
        Arrays.setAll(edges, d -> edges(shape.extent(d)));
        builder.chunkGrid(
            NamedConfiguration.of(
                "rectilinear",
                JsonObject.EMPTY.with("kind", "inline").with("chunk_shapes", JsonArray.of(edges))));
      }
      default -> {}
    }
    return builder.build();
  }

  private static final JsonObject LITTLE = JsonObject.EMPTY.with("endian", "little");

  private static JsonArray numbers(long... values) {
    return new JsonArray(Arrays.stream(values).<JsonValue>mapToObj(JsonNumber::of).toList());
  }

  private JsonValue edges(long extent) {
    if (random.nextInt(3) == 0) {
      return JsonNumber.of(1 + random.nextInt(4));
    }
    List<JsonValue> edges = new ArrayList<>();
    for (long sum = 0; sum < extent; ) {
      long edge = 1 + random.nextInt(4);
      edges.add(
          random.nextBoolean()
              ? JsonNumber.of(edge)
              : JsonArray.of(JsonNumber.of(edge), JsonNumber.of(1)));
      sum += edge;
    }
    return new JsonArray(edges);
  }

  private Shape shape() {
    return Shape.of(random.longs(rank, 0, MOST).toArray());
  }

  /** Changes the array and the model, and compares them. */
  void step() {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> write(random.nextInt(3) == 0 && isInside(earlier.shape()) ? earlier : array);
      case 3, 4, 5 -> append();
      case 6, 7, 8 -> resize();
      default -> {
        log.add("erase");
        hierarchy.erase("").block();
        create();
      }
    }
    compare(array);
    compare(hierarchy.openArray("g/a").block());
  }

  private boolean isInside(Shape shape) {
    boolean inside = shape.rank() == rank;
    for (int d = 0; inside && d < rank; d++) {
      inside = shape.extent(d) <= array.shape().extent(d);
    }
    return inside;
  }

  private void write(ZarrArray through) {
    long[] offset = new long[rank];
    long[] extents = new long[rank];
    for (int d = 0; d < rank; d++) {
      long extent = through.shape().extent(d);
      boolean all = random.nextInt(3) == 0;
      offset[d] = all ? 0 : random.nextLong(extent + 1);
      extents[d] = all ? extent : random.nextLong(extent - offset[d] + 1);
    }
    NdArray data = data(Shape.of(extents));
    log.add("write " + Arrays.toString(offset) + data.shape() + " through " + through.shape());
    through.write(Selection.box(offset, extents), data).block();
    set(offset, data);
  }

  private void append() {
    int axis = random.nextInt(rank);
    int blocks = random.nextInt(3);
    List<NdArray> all = new ArrayList<>();
    for (int i = 0; i <= blocks; i++) {
      long[] extents = array.shape().toArray();
      extents[axis] = random.nextInt(4);
      all.add(data(Shape.of(extents)));
    }
    ZarrArray through = fits(axis) && random.nextBoolean() ? earlier : array;
    log.add("append " + all.stream().map(NdArray::shape).toList() + " along " + axis);
    long[] offset = new long[rank];
    offset[axis] = array.shape().extent(axis);
    ZarrArray longer;
    if (blocks == 0) {
      longer = through.append(axis, all.get(0)).block();
    } else {
      longer = through.append(axis, Flux.fromIterable(all)).block();
    }
    boolean isNew = all.stream().anyMatch(block -> block.shape().extent(axis) > 0);
    earlier = array;
    array = isNew ? longer : array;
    for (NdArray block : all) {
      enter(offset, block.shape());
      set(offset, block);
      offset[axis] += block.shape().extent(axis);
    }
  }

  private boolean fits(int axis) {
    boolean fits = earlier.shape().rank() == rank;
    for (int d = 0; fits && d < rank; d++) {
      fits = d == axis || earlier.shape().extent(d) == array.shape().extent(d);
    }
    return fits;
  }

  private void resize() {
    Shape before = array.shape();
    long[] extents = before.toArray();
    int axis = random.nextInt(rank);
    extents[axis] = random.nextInt(MOST);
    Shape shape = random.nextInt(3) == 0 ? shape() : Shape.of(extents);
    ShrinkMode outside = ShrinkMode.values()[random.nextInt(3)];
    log.add("resize to " + shape + " " + outside);
    ChunkGrid grid = array.chunkGrid();
    earlier = array;
    array =
        outside == ShrinkMode.TRIM && random.nextBoolean()
            ? array.resize(shape).block()
            : array.resize(shape, outside).block();
    elements
        .entrySet()
        .removeIf(
            element -> {
              List<Long> index = element.getKey();
              boolean leaves = !isInside(index, shape);
              if (leaves) {
                left.remove(index);
                if (outside == ShrinkMode.KEEP
                    || (outside == ShrinkMode.ERASE && isInside(start(index, grid), shape))) {
                  left.put(index, element.getValue());
                }
              }
              return leaves;
            });
    enter(new long[rank], shape);
  }

  private static boolean isInside(List<Long> index, Shape shape) {
    boolean inside = true;
    for (int d = 0; d < index.size(); d++) {
      inside &= index.get(d) < shape.extent(d);
    }
    return inside;
  }

  private static List<Long> start(List<Long> index, ChunkGrid grid) {
    List<Long> start = new ArrayList<>();
    for (int d = 0; d < index.size(); d++) {
      ChunkEdges edges = grid.dimension(d);
      start.add(edges.start(edges.chunkOf(index.get(d))));
    }
    return start;
  }

  /** The elements of a box are fill value from now on, unless something is left there. */
  private void enter(long[] offset, Shape box) {
    ZarrArray now = hierarchy.openArray("g/a").block();
    for (List<Long> index : indices(offset, box)) {
      if (!elements.containsKey(index)) {
        Integer old = left.remove(index);
        elements.put(index, old != null && read(now, index) == old ? old : fill);
      }
    }
  }

  private static int read(ZarrArray array, List<Long> index) {
    long[] offset = index.stream().mapToLong(i -> i).toArray();
    long[] one = new long[offset.length];
    Arrays.fill(one, 1);
    return array.read(Selection.box(offset, one)).block().toIntArray()[0];
  }

  private NdArray data(Shape shape) {
    int[] values = new int[shape.elementCount().intValueExact()];
    boolean isFill = random.nextInt(5) == 0;
    Arrays.setAll(values, i -> isFill ? fill : next++);
    return NdArray.ofInts(DataTypes.INT32, shape, values);
  }

  private void set(long[] offset, NdArray data) {
    int[] values = data.toIntArray();
    List<List<Long>> indices = indices(offset, data.shape());
    for (int i = 0; i < values.length; i++) {
      elements.put(indices.get(i), values[i]);
    }
  }

  private static List<List<Long>> indices(long[] offset, Shape box) {
    List<List<Long>> indices = List.of(List.of());
    for (int d = 0; d < box.rank(); d++) {
      List<List<Long>> longer = new ArrayList<>();
      for (List<Long> index : indices) {
        for (long i = 0; i < box.extent(d); i++) {
          List<Long> with = new ArrayList<>(index);
          with.add(offset[d] + i);
          longer.add(with);
        }
      }
      indices = longer;
    }
    return indices;
  }

  private void compare(ZarrArray opened) {
    assertThat(opened.shape()).as(this::toString).isEqualTo(array.shape());
    int[] expected =
        indices(new long[rank], opened.shape()).stream().mapToInt(elements::get).toArray();
    assertThat(opened.read(Selection.all()).block().toIntArray())
        .as(this::toString)
        .isEqualTo(expected);
  }

  @Override
  public String toString() {
    return String.join("\n", log);
  }
}
