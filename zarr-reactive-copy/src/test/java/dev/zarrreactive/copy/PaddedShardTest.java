package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shards that hold more bytes than their chunks need, as other programs leave them. */
class PaddedShardTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final StoreKey SHARD = StoreKey.of("a/c/0");

  @Test
  void a_shard_with_many_unused_bytes_is_copied_as_it_is() {
    MemoryStore source = MemoryStore.create();
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(128), DataTypes.INT32)
            .chunkShape(128)
            .codecs(Codecs.sharding(4).indexAtStart())
            .build();
    Zarr.hierarchy(source)
        .createArray("a", metadata)
        .flatMap(
            array -> array.write("...", NdArray.ofInts(DataTypes.INT32, Shape.of(128), values())))
        .block(PATIENCE);
    byte[] shard = source.get(SHARD).block(PATIENCE).toByteArray();
    Bytes padded = Bytes.wrap(Arrays.copyOf(shard, shard.length + (8 << 20)));
    source.set(SHARD, padded).block(PATIENCE);
    MemoryStore copy = MemoryStore.create();
    ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(copy)).run().blockLast(PATIENCE);
    assertThat(copy.get(SHARD).block(PATIENCE)).isEqualTo(padded);
  }

  private static int[] values() {
    return IntStream.range(0, 128).toArray();
  }
}
