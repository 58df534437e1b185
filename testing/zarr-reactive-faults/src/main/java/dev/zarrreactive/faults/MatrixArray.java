package dev.zarrreactive.faults;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.codec.Sharding;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import reactor.core.publisher.Mono;

/**
 * The array of a trial: 20,000 numbers of 32 bits, all different from zero and the fill value, in
 * four chunks or in one shard of four inner chunks.
 *
 * @param path in the store
 * @param sharded true for the shard
 * @param kind of its checksums
 * @param version of the numbers
 */
record MatrixArray(String path, boolean sharded, Kind kind, int version) {
  /** The smallest offset of the index in the shard. */
  static final long INDEX_OFFSET = 80_000;

  private static final int FILL = -1;
  private static final int SIZE = 20_000;
  private static final int CHUNK = 5_000;

  /** The checksums of an array. */
  enum Kind {
    /** A checksum of the index of a shard only. */
    PLAIN,
    /** Checksums of all values. */
    CHECKED,
    /** No checksum. */
    BARE
  }

  /** Returns the key of a value. */
  String key(Place place) {
    return path + "/" + place.key();
  }

  /** Returns the selection of a trial: of a shard one inner chunk, which needs the index. */
  static Selection selection(Place place) {
    return place.isInShard() ? Selection.parse(CHUNK + ":" + 2 * CHUNK) : Selection.all();
  }

  /** Returns one inner chunk outside of {@link #selection}. */
  static Selection another() {
    return Selection.parse("0:" + CHUNK);
  }

  /** Returns the right elements of a trial; only the value at its place is of this version. */
  int[] expected(Place place) {
    int[] numbers = numbers();
    if (place.isInShard()) {
      return Arrays.copyOfRange(numbers, CHUNK, 2 * CHUNK);
    }
    int[] all = replaced(0).numbers();
    if (place == Place.CHUNK) {
      System.arraycopy(numbers, CHUNK, all, CHUNK, CHUNK);
    }
    return all;
  }

  /** Returns the elements of a trial with a missing value at its place. */
  int[] withFillValue(Place place) {
    int[] numbers = expected(place);
    boolean whole = place.isInShard();
    Arrays.fill(numbers, whole ? 0 : CHUNK, whole ? CHUNK : 2 * CHUNK, FILL);
    return numbers;
  }

  /** Returns this array with the numbers of another version. */
  MatrixArray replaced(int by) {
    return new MatrixArray(path, sharded, kind, by);
  }

  private int[] numbers() {
    int[] numbers = new int[SIZE];
    Arrays.setAll(numbers, i -> version * 1_000_000 + i + 1);
    return numbers;
  }

  /** Returns the values of the store by their keys. Blocks. */
  Map<String, Bytes> values() {
    MemoryStore memory = MemoryStore.create();
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(SIZE), DataTypes.INT32)
            .chunkShape(sharded ? SIZE : CHUNK)
            .fillValue(FILL)
            .attributes(JsonObject.EMPTY.with("version", version));
    metadata.codecs(sharded ? new NamedConfiguration[] {sharding()} : numberCodecs());
    NdArray numbers = NdArray.ofInts(DataTypes.INT32, Shape.of(SIZE), numbers());
    Mono<Void> written =
        Zarr.hierarchy(memory)
            .createArray(path, metadata.build())
            .flatMap((ZarrArray array) -> array.write(Selection.all(), numbers));
    Mono<List<Map.Entry<String, Bytes>>> stored =
        memory
            .list()
            .flatMap(key -> memory.get(key).map(value -> Map.entry(key.value(), value)))
            .collectList();
    Map<String, Bytes> values = new LinkedHashMap<>();
    Objects.requireNonNull(written.then(stored).block())
        .forEach(value -> values.put(value.getKey(), value.getValue()));
    return values;
  }

  private NamedConfiguration[] numberCodecs() {
    return kind == Kind.CHECKED
        ? new NamedConfiguration[] {Codecs.bytes(), Codecs.crc32c()}
        : new NamedConfiguration[] {Codecs.bytes()};
  }

  private NamedConfiguration sharding() {
    Sharding sharding = Codecs.sharding(CHUNK).codecs(numberCodecs());
    return kind == Kind.BARE
        ? sharding.indexCodecs(Codecs.bytes(ByteOrder.LITTLE_ENDIAN))
        : sharding;
  }
}
