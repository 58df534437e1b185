package dev.zarrreactive.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import dev.zarrreactive.testing.TestCodecs;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the chunks, a copy holds what the source holds. */
class CopyPropertyTest {
  private static final NamedConfiguration ZSTD =
      NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 1).with("checksum", false));

  private static final ZarrOptions OPTIONS =
      ZarrOptions.defaults().withCodecs(TestCodecs.registry());
  private static final StorePrefix SOURCE = new StorePrefix("a/");
  private static final StorePrefix COPY = new StorePrefix("b/c/");

  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  private static ZarrHierarchy target(Random random) {
    ZarrOptions options =
        OPTIONS
            .withMaxConcurrency(1 + random.nextInt(8))
            .withMaxInFlightBytes(1L << random.nextInt(16))
            .withWriteEmptyChunks(random.nextBoolean());
    return Zarr.hierarchy(MemoryStore.create(), options);
  }

  private static ZarrArray filled(RandomArray model) {
    ZarrArray source = model.create(OPTIONS);
    model.storeSomeChunks(source.store());
    return source;
  }

  private static ZarrCopy copy(ZarrArray source, ZarrHierarchy target) {
    return ZarrCopy.of(Zarr.hierarchy(source.store(), OPTIONS), target).from("a").to("b/c");
  }

  private static void check(RandomArray model, ZarrCopy copy, ZarrHierarchy target) {
    CopyProgress end = copy.run().blockLast();
    ZarrArray array = target.openArray("b/c").block();
    assertThat(array.read(Selection.all()).block().bytes().toByteArray())
        .as(model + " to " + array.metadata())
        .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
    assertThat(array.fillValue()).isEqualTo(model.metadata().fillValue());
    assertThat(end.chunks()).isEqualTo(end.chunksInAll());
    assertThat(end.nodes()).isEqualTo(end.nodesInAll()).isOne();
  }

  @Property(tries = 150)
  void an_array_that_stays_as_it_is(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrHierarchy target = target(random);
    ZarrArray source = filled(model);
    check(model, copy(source, target), target);
    assertThat(target.openArray("b/c").block().metadata().document())
        .isEqualTo(source.metadata().document());
    assertThat(target.store().listPrefix(COPY).count().block())
        .isEqualTo(source.store().listPrefix(SOURCE).count().block());
  }

  @Property(tries = 150)
  void an_array_that_is_compressed_otherwise(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrHierarchy target = target(random);
    check(model, copy(filled(model), target).codecs(ZSTD), target);
  }

  @Property(tries = 300)
  void an_array_in_other_chunks(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrHierarchy target = target(random);
    long[] chunk = new long[model.grid().shape().rank()];
    Arrays.setAll(chunk, d -> 1 + random.nextInt(8));
    check(model, copy(filled(model), target).chunkShape(chunk), target);
  }

  @Property(tries = 200)
  void an_array_in_shards_and_out_of_them_again(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrHierarchy sharded = target(random);
    int rank = model.grid().shape().rank();
    long[] chunk = new long[rank];
    Arrays.setAll(chunk, d -> 1 + random.nextInt(3));
    long[] shard = chunk.clone();
    Arrays.setAll(shard, d -> chunk[d] * (1 + random.nextInt(3)));
    check(model, copy(filled(model), sharded).chunkShape(chunk).shardShape(shard), sharded);

    ZarrHierarchy target = target(random);
    ZarrCopy back = ZarrCopy.of(sharded, target).from("b/c").to("b/c").chunkShape(shard);
    check(model, back, target);
    assertThat(target.openArray("b/c").block().chunkGrid().largestChunkShape())
        .isEqualTo(Shape.of(shard));
  }
}
