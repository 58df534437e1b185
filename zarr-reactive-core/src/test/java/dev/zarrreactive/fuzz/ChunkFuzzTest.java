package dev.zarrreactive.fuzz;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.fuzz.Fuzzing.Notes;
import dev.zarrreactive.interop.Fixture;
import dev.zarrreactive.interop.Fixtures;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Sampled;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.Schedulers;

/** Reads arrays of which a chunk or a shard was damaged. */
class ChunkFuzzTest {
  private List<FuzzStore> stores;

  @Sampled
  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS) // as long as the user likes
  void every_damaged_chunk_is_read_or_refused_with_a_located_error() {
    Stream<FuzzStore> ofOthers =
        Fixtures.good().stream()
            .filter(Fixture::isDirectory)
            .filter(fixture -> !fixture.isHierarchy() && fixture.text("path").isEmpty())
            .map(FuzzStore::of);
    stores = Stream.concat(ofOthers, OwnArrays.all()).filter(FuzzStore::hasChunks).toList();
    Fuzzing.run("Chunks", this::attempt);
  }

  private void attempt(Random random, Notes notes) {
    FuzzStore store = stores.get(random.nextInt(stores.size()));
    String key = store.chunk(random);
    FuzzStore other = random.nextBoolean() ? store : stores.get(random.nextInt(stores.size()));
    byte[] damaged = ByteMutation.of(store.value(key), other.value(other.chunk(random)), random);
    notes.say(store + ", " + key);
    notes.say(Base64.getEncoder().encodeToString(damaged));
    store.with(key, damaged, changed -> read(changed, random, notes));
  }

  private static void read(Store store, Random random, Notes notes) {
    ZarrArray array =
        Zarr.hierarchy(store, ZarrOptions.defaults().withCodecScheduler(Schedulers.immediate()))
            .openArray("")
            .block();
    BigInteger elements =
        array
            .chunkGrid()
            .gridShape()
            .elementCount()
            .multiply(array.chunkGrid().largestChunkShape().elementCount());
    notes.expect(array.dataType().memorySize() * elements.longValueExact());
    switch (random.nextInt(3)) {
      case 0 -> array.chunks(Selection.all()).blockLast();
      case 1 -> array.read(someElement(array.shape().toArray(), random)).block();
      default -> array.read(Selection.all()).block();
    }
  }

  /** Of a shard, this reads the index and one inner chunk. */
  private static Selection someElement(long[] shape, Random random) {
    if (Arrays.stream(shape).anyMatch(extent -> extent == 0)) {
      return Selection.all();
    }
    String[] indices = new String[shape.length];
    for (int d = 0; d < shape.length; d++) {
      indices[d] = Integer.toString(random.nextInt((int) shape[d]));
    }
    return shape.length == 0 ? Selection.all() : Selection.parse(String.join(",", indices));
  }
}
