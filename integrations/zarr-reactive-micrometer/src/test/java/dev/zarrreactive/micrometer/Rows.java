package dev.zarrreactive.micrometer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import java.util.Arrays;

/** Arrays of int32 at {@code a} that hold 1, 2, 3, ..., in chunks of four. */
final class Rows {
  static final int CHUNK_BYTES = 16;

  private Rows() {}

  /** One that is written without anybody being told. */
  static void write(int chunks, Store store) {
    write(metadata(chunks).chunkShape(4), store);
  }

  /** One shard of so many inner chunks. */
  static void writeShard(int chunks, Store store) {
    NamedConfiguration sharding =
        Codecs.sharding(4).codecs(Codecs.bytes()).indexCodecs(Codecs.bytes(LITTLE_ENDIAN));
    write(metadata(chunks).chunkShape(4L * chunks).codecs(sharding), store);
  }

  private static ArrayMetadataBuilder metadata(int chunks) {
    return ArrayMetadata.v3(Shape.of(4L * chunks), DataTypes.INT32).uncompressed();
  }

  private static void write(ArrayMetadataBuilder metadata, Store store) {
    ZarrArray array = Zarr.hierarchy(store).createArray("a", metadata.build()).block();
    int[] numbers = new int[array.shape().elementCount().intValueExact()];
    Arrays.setAll(numbers, i -> i + 1);
    array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, array.shape(), numbers)).block();
  }

  static ZarrArray open(Store store, ZarrOptions options) {
    return Zarr.hierarchy(store, options).openArray("a").block();
  }
}
