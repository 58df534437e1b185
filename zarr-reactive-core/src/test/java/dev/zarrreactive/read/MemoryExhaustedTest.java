package dev.zarrreactive.read;

import static dev.zarrreactive.testing.TestArrays.counting;
import static dev.zarrreactive.testing.Waiting.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.ProbeCodec;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** An allocation that fails on a codec thread ends the operation, and the library goes on. */
class MemoryExhaustedTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AtomicBoolean full = new AtomicBoolean();
  private final ProbeCodec probe =
      new ProbeCodec()
          .doing(
              () -> {
                if (full.get()) {
                  throw new OutOfMemoryError("Java heap space");
                }
              });
  private final ZarrOptions options = ZarrOptions.defaults().withCodecs(probe.registry());

  @Test
  void every_operation_on_chunks_ends_in_an_error_and_then_works_again() {
    everyOperationEnds(TestArrays.metadata(40).compressors(ProbeCodec.configuration()), "a/c/");
  }

  @Test
  void every_operation_on_shards_ends_in_an_error_and_then_works_again() {
    JsonArray inner =
        JsonArray.of(ShardArrays.plain().elements().get(0), ProbeCodec.configuration().toJson());
    everyOperationEnds(
        TestArrays.metadata(40).chunkShape(16).codecs(ShardArrays.sharding("end", inner, 4)),
        "a/c/");
  }

  private void everyOperationEnds(ArrayMetadataBuilder metadata, String key) {
    MemoryStore store = MemoryStore.create();
    TestArrays.counting(metadata, store, options);
    for (long cache : new long[] {0, 1 << 20}) {
      ZarrHierarchy hierarchy = Zarr.hierarchy(store, options.withDecodedChunkCache(cache));
      ZarrArray array = hierarchy.openArray("a").block(PATIENCE);
      NdArray all = counting(array.shape());
      Map<String, Mono<?>> operations = new LinkedHashMap<>();
      operations.put("read", array.read(Selection.all()));
      operations.put("read of a part", array.read(Selection.parse("1:3")));
      operations.put("chunks", array.chunks(Selection.all()).then());
      operations.put("chunks in order", array.chunksInOrder(Selection.all()).then());
      operations.put("read of a chunk", array.readChunk(1));
      operations.put("write", array.write(Selection.all(), all));
      operations.put("write of a part", array.write(Selection.parse("1:3"), counting(Shape.of(2))));
      full.set(true);
      operations.forEach(
          (name, operation) ->
              StepVerifier.create(operation)
                  .consumeErrorWith(
                      error -> {
                        assertThat(error).as(name).isInstanceOf(MemoryExhaustedException.class);
                        MemoryExhaustedException out = (MemoryExhaustedException) error;
                        assertThat(out.wantedBytes()).as(name).isGreaterThanOrEqualTo(16);
                        assertThat(out.location().storeKey()).as(name).startsWith(key);
                        assertThat(out.location().nodePath()).as(name).isEqualTo("/a");
                      })
                  .verify(PATIENCE));
      full.set(false);
      eventually("the bytes are given back", () -> hierarchy.bytesInFlight() == 0);
      assertThat(array.read(Selection.all()).block(PATIENCE)).isEqualTo(all);
      array.write(Selection.all(), all).block(PATIENCE);
    }
  }
}
