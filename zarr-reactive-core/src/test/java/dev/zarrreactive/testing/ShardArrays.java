package dev.zarrreactive.testing;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.Arrays;
import java.util.function.Predicate;

/** Sharded arrays of int32 at {@code a} that hold 1, 2, 3, ... */
public final class ShardArrays {
  /** The bytes of one inner chunk of 4 × 4 elements, uncompressed, with its checksum. */
  public static final int INNER_BYTES = 16 * Integer.BYTES + 4;

  private ShardArrays() {}

  /** Shards of 16 × 16 inner chunks of 4 × 4 elements; so many along each dimension. */
  public static ArrayMetadataBuilder squares(int rows, int columns) {
    return ArrayMetadata.v3(Shape.of(64L * rows, 64L * columns), DataTypes.INT32)
        .chunkShape(64, 64)
        .codecs(sharding("end", checked(), 4, 4));
  }

  /** As {@link #squares}, with shards of 4 × 4 inner chunks nested in the shards. */
  public static ArrayMetadataBuilder nested(int rows, int columns, JsonArray codecs) {
    return ArrayMetadata.v3(Shape.of(64L * rows, 64L * columns), DataTypes.INT32)
        .chunkShape(64, 64)
        .codecs(sharding("end", JsonArray.of(sharding("end", codecs, 4, 4).toJson()), 16, 16));
  }

  /** Written; what was counted of that is forgotten, and nothing is known of the shards. */
  public static ZarrArray written(ArrayMetadataBuilder metadata, Store store, ZarrOptions options) {
    TestArrays.counting(metadata, store, options);
    return reopened(store, options);
  }

  /** Opened anew: nothing is known of the shards. */
  public static ZarrArray reopened(Store store, ZarrOptions options) {
    ZarrArray array = TestArrays.open(store, options);
    TestArrays.forget(store);
    return array;
  }

  public static JsonArray extents(long... values) {
    return new JsonArray(Arrays.stream(values).<JsonValue>mapToObj(JsonNumber::of).toList());
  }

  public static NamedConfiguration sharding(String location, JsonArray inner, long... chunk) {
    JsonArray index =
        JsonArray.of(
            Codecs.toBytes(DataTypes.UINT64).toJson(), NamedConfiguration.of("crc32c").toJson());
    return NamedConfiguration.of(
        "sharding_indexed",
        JsonObject.EMPTY
            .with("chunk_shape", extents(chunk))
            .with("codecs", inner)
            .with("index_codecs", index)
            .with("index_location", location));
  }

  /** Bytes, of which nobody can tell whether they are the right ones. */
  public static JsonArray plain() {
    return JsonArray.of(Codecs.toBytes(DataTypes.INT32).toJson());
  }

  /** Bytes with a checksum. */
  public static JsonArray checked() {
    return JsonArray.of(
        Codecs.toBytes(DataTypes.INT32).toJson(), NamedConfiguration.of("crc32c").toJson());
  }

  /** Compressed: every chunk of another size. */
  public static JsonArray compressed() {
    return JsonArray.of(
        Codecs.toBytes(DataTypes.INT32).toJson(),
        NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 1)).toJson(),
        NamedConfiguration.of("crc32c").toJson());
  }

  /** Requests for an index at the end. */
  public static Predicate<StoreRequest> indexes() {
    return request -> request.range() instanceof ByteRange.Suffix;
  }

  /** Requests for inner chunks. */
  public static Predicate<StoreRequest> data() {
    return request -> request.range() instanceof ByteRange.Slice;
  }

  /** Requests for so many bytes. */
  public static Predicate<StoreRequest> slices(long length) {
    return request -> request.range() instanceof ByteRange.Slice slice && slice.length() == length;
  }

  /** How many of such requests were made. */
  public static long count(InstrumentedStore store, Predicate<StoreRequest> which) {
    return store.counts().requests().stream().filter(which).count();
  }

  /** A block of a {@link TestArrays#counting} array of so many columns. */
  public static int[] block(int columns, int row, int column, int height, int width) {
    int[] values = new int[height * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (row + i / width) * columns + column + i % width + 1;
    }
    return values;
  }
}
