package dev.zarrreactive.testing;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecChain;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * An array of random shape, chunk grid, data type, fill value and codecs, and a model of it that is
 * read and written element by element.
 */
public final class RandomArray {
  private final RandomGrid grid;
  private final DataType dataType;
  private final FillValue fillValue;
  private final List<String> codecs;
  private final Random random;

  /** Every chunk's elements, also beyond the array's end. */
  private final Map<long[], byte[]> chunks = new TreeMap<>(Arrays::compare);

  private RandomArray(RandomGrid grid, DataType dataType, Random random) {
    this.random = random;
    this.grid = grid;
    this.dataType = dataType;
    byte[] image = new byte[dataType.itemSize()];
    if (random.nextBoolean()) {
      random.nextBytes(image);
    }
    fillValue = FillValue.of(dataType, image);
    codecs = RandomChain.of(grid.shape().rank(), random);
    for (long[] chunk : grid.chunks()) {
      chunks.put(chunk, NdArray.filled(grid.chunkShape(chunk), fillValue).bytes().toByteArray());
    }
  }

  /** Some array, all fill value. */
  public static RandomArray of(Random random) {
    return new RandomArray(RandomGrid.of(random), RandomChain.dataType(random), random);
  }

  /** Another array of this shape and data type. */
  public RandomArray sameShape() {
    return new RandomArray(RandomGrid.of(grid.shape(), random), dataType, random);
  }

  /** How the array is divided. */
  public RandomGrid grid() {
    return grid;
  }

  /** The array's metadata. */
  public ArrayMetadata metadata() {
    return ArrayMetadata.v3(grid.shape(), dataType)
        .chunkGrid(grid.metadata())
        .fillValue(fillValue)
        .codecs(codecs.stream().map(Json::extension).toArray(NamedConfiguration[]::new))
        .build();
  }

  /** The array in a new store, without a chunk. */
  public ZarrArray create(ZarrOptions options) {
    return Zarr.hierarchy(MemoryStore.create(), options.withCodecs(TestCodecs.registry()))
        .createArray("a", metadata())
        .block();
  }

  /** Some selection of the array. */
  public RandomSelection selection() {
    return RandomSelection.of(grid.shape(), random);
  }

  /** Gives some chunks random elements, in the model and, encoded, in the store. */
  public void storeSomeChunks(Store store) {
    CodecChain chain =
        CodecChain.of(codecs.stream().map(Json::extension).toList(), Json.value("[]"), registry());
    chunks.forEach(
        (index, elements) -> {
          if (random.nextInt(3) > 0) {
            random.nextBytes(elements);
            Shape shape = grid.chunkShape(index);
            Bytes encoded =
                chain
                    .bind(new ChunkRepresentation(shape, dataType, fillValue))
                    .encode(NdArray.wrap(dataType, shape, Bytes.wrap(elements.clone())));
            store.set(key(index), encoded).block();
          }
        });
  }

  private static CodecRegistry registry() {
    return TestCodecs.registry();
  }

  private static StoreKey key(long[] index) {
    StringBuilder key = new StringBuilder("a/c");
    for (long i : index) {
      key.append('/').append(i);
    }
    return StoreKey.of(key.toString());
  }

  /** The elements of a chunk, also beyond the array's end. */
  public byte[] chunk(long[] index) {
    return chunks.get(index);
  }

  /** The images of these elements, one after the other. */
  public byte[] elements(List<long[]> elements) {
    int size = dataType.itemSize();
    byte[] images = new byte[elements.size() * size];
    for (int i = 0; i < elements.size(); i++) {
      long[] element = elements.get(i);
      System.arraycopy(
          chunks.get(grid.chunkOf(element)),
          grid.placeInChunk(element) * size,
          images,
          i * size,
          size);
    }
    return images;
  }

  /** Random elements of this array's data type, sometimes all fill value. */
  public NdArray data(Shape shape) {
    byte[] elements = new byte[shape.byteSize(dataType.itemSize())];
    if (random.nextInt(3) == 0) {
      return NdArray.filled(shape, fillValue);
    }
    random.nextBytes(elements);
    return NdArray.wrap(dataType, shape, Bytes.wrap(elements));
  }

  /** Writes to the model, element by element. */
  public void write(List<long[]> elements, NdArray data) {
    int size = dataType.itemSize();
    for (int i = 0; i < elements.size(); i++) {
      long[] element = elements.get(i);
      data.bytes()
          .copyTo(
              i * size, chunks.get(grid.chunkOf(element)), grid.placeInChunk(element) * size, size);
    }
  }

  @Override
  public String toString() {
    return dataType + " fill " + fillValue + " " + grid + " through " + codecs;
  }
}
