package dev.zarrreactive.read;

import static dev.zarrreactive.testing.TestArrays.counting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** File threads decode small chunks in place, and use the memory of their bytes again. */
@ExtendWith(NothingIsDropped.class)
class SmallFileReadsTest {
  private static final int LENGTH = 20_000;

  @TempDir Path directory;

  @Test
  void reads_at_the_same_time_that_share_chunks_have_the_values_of_their_own() {
    for (ArrayMetadataBuilder metadata :
        List.of(
            metadata().uncompressed(),
            metadata().compressors(Codecs.zstd(1)),
            metadata().shardShape(2_000).uncompressed(),
            metadata().shardShape(2_000).compressors(Codecs.gzip(1), Codecs.crc32c()))) {
      ZarrArray array = written(metadata, ZarrOptions.defaults());
      Random random = new Random(5);
      Flux.range(0, 1_000)
          .map(i -> random.nextInt(LENGTH - 1))
          .flatMap(from -> checked(array, from, from + 1 + random.nextInt(600)), 64)
          .then()
          .block();
      assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(LENGTH)));
    }
  }

  @Test
  void a_stream_keeps_the_chunks_that_it_has_delivered() {
    ZarrArray array = written(metadata().uncompressed(), ZarrOptions.defaults());
    List<NdArray> chunks =
        array.chunksInOrder(Selection.all()).map(chunk -> chunk.data()).collectList().block();
    assertThat(chunks).hasSize(LENGTH / 100);
    for (int i = 0; i < chunks.size(); i++) {
      assertThat(chunks.get(i)).isEqualTo(numbers(100 * i, 100 * i + 100));
    }
  }

  @Test
  void cached_chunks_keep_their_values() {
    ZarrArray array =
        written(metadata().uncompressed(), ZarrOptions.defaults().withDecodedChunkCache(1 << 20));
    for (int round = 0; round < 3; round++) {
      assertThat(array.read(Selection.all()).block()).isEqualTo(counting(Shape.of(LENGTH)));
    }
  }

  @Test
  void the_result_comes_on_a_codec_thread() {
    ZarrArray array = written(metadata().uncompressed(), ZarrOptions.defaults());
    Set<String> threads = new ConcurrentSkipListSet<>();
    Flux.range(0, 50)
        .concatMap(i -> array.read(Selection.parse(i + ":" + (i + 300))))
        .doOnNext(read -> threads.add(Thread.currentThread().getName()))
        .blockLast();
    assertThat(threads).allMatch(thread -> thread.startsWith("zarr-codec-"));
  }

  private ArrayMetadataBuilder metadata() {
    return ArrayMetadata.v3(Shape.of(LENGTH), DataTypes.INT32).chunkShape(100);
  }

  private ZarrArray written(ArrayMetadataBuilder metadata, ZarrOptions options) {
    FileSystemStore store = FileSystemStore.open(directory.resolve("of" + metadata.hashCode()));
    TestArrays.counting(metadata, store, options);
    return TestArrays.open(store, options);
  }

  private static Mono<Void> checked(ZarrArray array, int from, int to) {
    int end = Math.min(to, LENGTH);
    return array
        .read(Selection.parse(from + ":" + end))
        .doOnNext(read -> assertThat(read).isEqualTo(numbers(from, end)))
        .then();
  }

  private static NdArray numbers(int from, int to) {
    int[] numbers = new int[to - from];
    Arrays.setAll(numbers, i -> from + i + 1);
    return NdArray.ofInts(DataTypes.INT32, Shape.of(numbers.length), numbers);
  }
}
