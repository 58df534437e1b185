package dev.zarrreactive.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.chunkgrid.ChunkEdges;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.chunkgrid.ShrinkMode;
import dev.zarrreactive.codec.Blosc.Compressor;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.codec.Sharding;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A random sequence of operations on a random array in any store: creations, writes of any
 * selection, at once and in blocks, appends, changes of the shape, erasures. After each one the
 * array, also opened afresh, is what the {@link FlatModel} is. One seed gives one sequence.
 */
public final class GrowthSequence {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The path of the array in the store. */
  public static final String PATH = "g/a";

  private static final List<DataType> TYPES =
      List.of(
          DataTypes.BOOL,
          DataTypes.UINT8,
          DataTypes.INT16,
          DataTypes.INT32,
          DataTypes.FLOAT32,
          DataTypes.FLOAT64,
          DataTypes.COMPLEX64,
          DataTypes.STRING,
          DataTypes.raw(24)); // the last one: Zarr v2 lacks it

  private final Random random;
  private final Store store;
  private final ZarrHierarchy hierarchy;
  private final List<String> log = new ArrayList<>();
  private FlatModel model;
  private ZarrArray array;
  private ZarrArray earlier;
  private int attribute;

  private GrowthSequence(Store store, long seed) {
    this.random = new Random(seed);
    this.store = store;
    this.hierarchy = Zarr.hierarchy(store, options());
    ZarrOptions options = hierarchy.options();
    log.add(
        "seed %d: at most %d chunks and %d bytes in flight, %s, %d bytes of decoded chunks"
            .formatted(
                seed,
                options.maxConcurrency(),
                options.maxInFlightBytes(),
                options.writeEmptyChunks() ? "empty chunks stored" : "empty chunks erased",
                options.decodedChunkCache()));
    create(anyFormat());
  }

  /** Runs a sequence of so many steps; the store must be empty. */
  public static GrowthSequence run(Store store, long seed, int steps) {
    GrowthSequence sequence = new GrowthSequence(store, seed);
    for (int i = 0; i < steps; i++) {
      try {
        sequence.step();
      } catch (RuntimeException e) {
        throw new AssertionError(sequence.toString(), e);
      }
    }
    return sequence;
  }

  private static <T> T await(Mono<T> result) {
    return requireNonNull(result.block(PATIENCE));
  }

  private static void done(Mono<?> result) {
    result.block(PATIENCE);
  }

  private ZarrOptions options() {
    return ZarrOptions.defaults()
        .withMaxConcurrency(1 + random.nextInt(8))
        .withWriteEmptyChunks(random.nextInt(3) == 0)
        .withMaxInFlightBytes(1L << (random.nextInt(3) == 0 ? 5 + random.nextInt(7) : 28))
        .withDecodedChunkCache(random.nextInt(3) == 0 ? 1 << random.nextInt(14) : 0);
  }

  private int anyFormat() {
    return random.nextInt(3) == 0 ? 2 : 3;
  }

  private void create(int format) {
    int rank = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3);
    DataType type = TYPES.get(random.nextInt(format == 2 ? TYPES.size() - 1 : TYPES.size()));
    Shape shape = shape(rank);
    FillValue fill = fill(type, format);
    ArrayMetadata metadata = metadata(shape, type, format).fillValue(fill).build();
    log.add("create " + metadata);
    array = await(hierarchy.createArray(PATH, metadata));
    earlier = array;
    attribute = 0;
    model = new FlatModel(type, fill, shape);
  }

  private Shape shape(int rank) {
    return Shape.of(random.longs(rank, 0, most(rank)).toArray());
  }

  private static int most(int rank) {
    return rank == 3 ? 6 : 10;
  }

  private FillValue fill(DataType type, int format) {
    if (random.nextBoolean()) {
      return FillValue.zero(type);
    }
    if (type instanceof VariableLengthType variable) {
      return FillValue.ofValue(variable, "fill");
    }
    if (type == DataTypes.BOOL) {
      return FillValue.of(true);
    }
    byte[] image = new byte[type.itemSize()];
    random.nextBytes(image);
    return format == 2 ? FillValue.of(type, 7) : FillValue.of(type, image);
  }

  private ArrayMetadataBuilder metadata(Shape shape, DataType type, int format) {
    int rank = shape.rank();
    long[] chunk = random.longs(rank, 1, 5).toArray();
    ArrayMetadataBuilder builder = ArrayMetadata.v3(shape, type).zarrFormat(format);
    if (random.nextInt(3) == 0) {
      builder.separator(random.nextBoolean() ? "." : "/");
    }
    int kind = format == 2 ? 0 : random.nextInt(5);
    switch (kind) {
      case 1 -> {
        long[] shard = chunk.clone();
        Arrays.setAll(shard, d -> shard[d] * (1 + random.nextInt(3)));
        builder.chunkShape(chunk).shardShape(shard);
      }
      case 2 -> builder.chunkGrid(RandomGrid.of(shape, random).metadata());
      default -> builder.chunkShape(chunk);
    }
    if (kind == 3) { // each chunk a shard of single elements, or of shards of them
      long[] ones = new long[rank];
      Arrays.fill(ones, 1);
      Sharding inner = Codecs.sharding(ones);
      if (random.nextBoolean()) {
        inner = inner.indexAtStart();
      }
      return builder.codecs(random.nextBoolean() ? inner : Codecs.sharding(ones).codecs(inner));
    }
    return codecs(builder, type, rank, format);
  }

  private ArrayMetadataBuilder codecs(
      ArrayMetadataBuilder builder, DataType type, int rank, int format) {
    List<NamedConfiguration> chain = new ArrayList<>();
    if (format == 2 && random.nextInt(3) == 0) {
      builder.fortranOrder();
    } else if (format == 3) {
      if (random.nextInt(3) == 0) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, rank).boxed().toList());
        Collections.shuffle(order, random);
        chain.add(Codecs.transpose(order.stream().mapToInt(i -> i).toArray()));
      }
      if (type.hasByteOrder() && random.nextInt(3) == 0) {
        chain.add(Codecs.bytes(ByteOrder.BIG_ENDIAN));
      }
    }
    switch (random.nextInt(4)) {
      case 0 -> chain.add(Codecs.gzip(1));
      case 1 -> chain.add(Codecs.zstd(1));
      case 2 -> chain.add(Codecs.blosc(Compressor.LZ4));
      default -> {}
    }
    if (format == 3 && random.nextInt(3) == 0) {
      chain.add(Codecs.crc32c());
    }
    return format == 2
        ? builder.compressors(chain.toArray(NamedConfiguration[]::new))
        : builder.codecs(chain.toArray(NamedConfiguration[]::new));
  }

  private void step() {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> write();
      case 4 -> writeNotation();
      case 5 -> writeChunks();
      case 6 -> writeBlocks();
      case 7, 8 -> append();
      case 9, 10, 11, 12 -> resize();
      case 13 -> updateAttributes();
      case 14 -> eraseElements();
      default -> {
        if (random.nextBoolean()) {
          consolidate();
        } else {
          boolean all = random.nextBoolean();
          int format = all ? anyFormat() : array.metadata().zarrFormat();
          log.add("erase");
          done(hierarchy.erase(all ? "" : PATH));
          create(format);
        }
      }
    }
    compare();
  }

  /** A handle on the array, perhaps one that was opened before the last changes of the shape. */
  private ZarrArray handle() {
    return random.nextInt(3) == 0 && fits(earlier.shape(), model.shape()) ? earlier : array;
  }

  private static boolean fits(Shape inner, Shape outer) {
    boolean fits = inner.rank() == outer.rank();
    for (int d = 0; fits && d < inner.rank(); d++) {
      fits = inner.extent(d) <= outer.extent(d);
    }
    return fits;
  }

  private void write() {
    ZarrArray through = handle();
    RandomSelection selection = RandomSelection.of(through.shape(), random);
    Shape selected = selection.selection().resolve(through.shape()).shape();
    NdArray data = thinned(selected);
    log.add("write " + selection.selection() + " " + data.shape() + " through " + through.shape());
    done(through.write(selection.selection(), data));
    model.set(selection.elements(), selected, data);
  }

  /** Data of the shape, or such that are broadcast to it. */
  private NdArray thinned(Shape shape) {
    long[] extents = shape.toArray();
    if (random.nextInt(3) == 0) {
      extents = Arrays.copyOfRange(extents, random.nextInt(extents.length + 1), extents.length);
      for (int d = 0; d < extents.length; d++) {
        extents[d] = random.nextBoolean() ? 1 : extents[d];
      }
    }
    return model.data(Shape.of(extents), random);
  }

  /** Slices as Python has them: beyond the ends, from the end, with steps. */
  private void writeNotation() {
    List<String> parts = new ArrayList<>();
    List<List<Long>> axes = new ArrayList<>();
    for (long extent : model.shape().toArray()) {
      long step = 1 + random.nextInt(3);
      long from = random.nextLong(4 * extent + 1) - 2 * extent;
      long to = random.nextLong(4 * extent + 1) - 2 * extent;
      boolean whole = random.nextInt(4) == 0;
      parts.add((whole ? "" : from) + ":" + (whole ? "" : to) + (step == 1 ? "" : ":" + step));
      List<Long> axis = new ArrayList<>();
      long end = whole ? extent : clipped(to, extent);
      for (long i = whole ? 0 : clipped(from, extent); i < end; i += step) {
        axis.add(i);
      }
      axes.add(axis);
    }
    String notation = parts.isEmpty() ? "..." : String.join(",", parts);
    Shape selected = Shape.of(axes.stream().mapToLong(List::size).toArray());
    NdArray data = thinned(selected);
    log.add("write " + notation + " " + data.shape());
    done(array.write(Selection.parse(notation).clipped(), data));
    List<long[]> elements = new ArrayList<>();
    for (long[] place : RandomSelection.all(selected)) {
      long[] element = new long[place.length];
      Arrays.setAll(element, d -> axes.get(d).get((int) place[d]));
      elements.add(element);
    }
    model.set(elements, selected, data);
  }

  private static long clipped(long index, long extent) {
    return Math.min(Math.max(index < 0 ? index + extent : index, 0), extent);
  }

  /** Chunks of an array in memory that is divided in another way. */
  private void writeChunks() {
    ArrayMetadata metadata =
        ArrayMetadata.v3(model.shape(), array.dataType())
            .chunkGrid(RandomGrid.of(model.shape(), random).metadata())
            .build();
    ZarrArray source = await(Zarr.hierarchy(MemoryStore.create()).createArray("", metadata));
    NdArray data = model.data(model.shape(), random);
    done(source.write(Selection.all(), data));
    RandomSelection selection = RandomSelection.of(model.shape(), random);
    log.add("write the chunks of " + selection.selection() + " of " + metadata.chunkGrid());
    done(array.write(source.chunks(selection.selection())));
    Shape one = Shape.of(selection.elements().size());
    model.set(selection.elements(), one, await(source.read(selection.selection())).reshape(one));
  }

  /** Blocks of any number of rows, of which each element has one place. */
  private void writeBlocks() {
    ZarrArray through = handle();
    RandomSelection selection = RandomSelection.of(through.shape(), random);
    Shape selected = selection.selection().resolve(through.shape()).shape();
    long places = selection.elements().stream().map(Arrays::hashCode).distinct().count();
    if (selected.rank() == 0 || places < selection.elements().size()) {
      return;
    }
    NdArray data = model.data(selected, random);
    List<NdArray> blocks = new ArrayList<>();
    for (long row = 0, end; row < selected.extent(0); row = end) {
      end = Math.min(row + random.nextInt(4), selected.extent(0));
      blocks.add(data.slice(Selection.parse(row + ":" + end + ",...")));
    }
    log.add(
        "write "
            + selection.selection()
            + " in blocks "
            + blocks.stream().map(NdArray::shape).toList()
            + " through "
            + through.shape());
    done(through.write(selection.selection(), Flux.fromIterable(blocks)));
    model.set(selection.elements(), selected, data);
  }

  private void append() {
    Shape before = model.shape();
    if (before.rank() == 0) {
      return;
    }
    int axis = random.nextInt(before.rank());
    List<NdArray> blocks = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      long[] extents = before.toArray();
      extents[axis] = random.nextInt(4);
      blocks.add(model.data(Shape.of(extents), random));
    }
    ZarrArray through = handle();
    for (int d = 0; d < before.rank(); d++) {
      through = d == axis || through.shape().extent(d) == before.extent(d) ? through : array;
    }
    log.add("append " + blocks.stream().map(NdArray::shape).toList() + " along " + axis);
    ZarrArray longer =
        await(
            blocks.size() == 1
                ? through.append(axis, blocks.get(0))
                : through.append(axis, Flux.fromIterable(blocks)));
    if (blocks.stream().anyMatch(block -> block.shape().extent(axis) > 0)) {
      earlier = array;
      array = longer;
    }
    for (NdArray block : blocks) {
      long[] offset = new long[before.rank()];
      offset[axis] = model.shape().extent(axis);
      long[] extents = model.shape().toArray();
      extents[axis] += block.shape().extent(axis);
      model.resize(Shape.of(extents), ShrinkMode.TRIM, any -> false, any -> model.fillValue());
      List<long[]> indices = RandomSelection.all(block.shape());
      indices.forEach(index -> index[axis] += offset[axis]);
      model.set(indices, block.shape(), block);
    }
  }

  private void resize() {
    Shape before = model.shape();
    int rank = before.rank();
    Shape shape = shape(rank);
    if (rank > 0 && random.nextInt(3) > 0) {
      long[] extents = before.toArray();
      extents[random.nextInt(rank)] = random.nextInt(most(rank));
      shape = Shape.of(extents);
    }
    ShrinkMode outside = ShrinkMode.values()[random.nextInt(3)];
    log.add("resize " + before + " to " + shape + " " + outside);
    ChunkGrid grid = array.chunkGrid();
    earlier = array;
    array = await(array.resize(shape, outside));
    Shape now = shape;
    ZarrArray fresh = opened();
    model.resize(
        now,
        outside,
        index -> FlatModel.isInside(start(index, grid), now),
        index -> FlatModel.elements(await(fresh.read(Selection.points(index)))).get(0));
  }

  private static long[] start(long[] index, ChunkGrid grid) {
    long[] start = new long[index.length];
    for (int d = 0; d < start.length; d++) {
      ChunkEdges edges = grid.dimension(d);
      start[d] = edges.start(edges.chunkOf(index[d]));
    }
    return start;
  }

  private void updateAttributes() {
    int value = ++attribute;
    log.add("update the attributes to " + value);
    array = await(handle().updateAttributes(old -> old.with("n", JsonNumber.of(value))));
  }

  private void eraseElements() {
    RandomSelection selection =
        random.nextBoolean()
            ? new RandomSelection(Selection.all(), RandomSelection.all(model.shape()))
            : RandomSelection.of(model.shape(), random);
    log.add("fill " + selection.selection());
    NdArray fill = model.fills(Shape.SCALAR);
    done(array.write(selection.selection(), fill));
    model.set(selection.elements(), Shape.of(selection.elements().size()), fill);
  }

  private void consolidate() {
    log.add("consolidate");
    done(hierarchy.openGroup("").flatMap(ZarrGroup::consolidate));
  }

  /** The array, opened without anything that is known of it. */
  public ZarrArray opened() {
    return await(Zarr.hierarchy(store).openArray(PATH));
  }

  private void compare() {
    ZarrArray fresh = opened();
    assertThat(fresh.shape()).as(this::toString).isEqualTo(model.shape());
    assertThat(array.shape()).as(this::toString).isEqualTo(model.shape());
    assertThat(fresh.metadata().attributes().integer("n").orElse(0))
        .as(this::toString)
        .isEqualTo(attribute);
    RandomSelection some = RandomSelection.of(model.shape(), random);
    compare("a part", array.read(some.selection()), some);
    RandomSelection all = new RandomSelection(Selection.all(), RandomSelection.all(model.shape()));
    compare("through a handle", array.read(), all);
    compare("opened afresh", fresh.read(), all);
  }

  private void compare(String how, Mono<NdArray> read, RandomSelection selection) {
    assertThat(FlatModel.elements(await(read)))
        .as(() -> this + "\n" + how + ": " + selection.selection())
        .isEqualTo(model.at(selection.elements()));
  }

  @Override
  public String toString() {
    return String.join("\n", log);
  }
}
