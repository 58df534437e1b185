package dev.zarrreactive.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Reading against a model that goes element by element. */
class ReadingPropertyTest {
  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Provide
  Arbitrary<ZarrOptions> options() {
    return Arbitraries.randomValue(ReadingPropertyTest::options);
  }

  private static ZarrOptions options(Random random) {
    return ZarrOptions.defaults()
        .withMaxConcurrency(1 + random.nextInt(8))
        .withMaxInFlightBytes(1L << random.nextInt(20));
  }

  @Property(tries = 400)
  void every_way_of_reading_gives_the_model_s_elements(
      @ForAll("arrays") RandomArray model, @ForAll("options") ZarrOptions options) {
    ZarrArray array = model.create(options);
    model.storeSomeChunks(array.store());
    for (int i = 0; i < 3; i++) {
      RandomSelection selection = model.selection();
      String what = selection.selection() + " of " + model;
      assertRead(model, selection, array.read(selection.selection()).block(), what);
      List<Chunk> inOrder = array.chunksInOrder(selection.selection()).collectList().block();
      assertChunks(model, selection, inOrder, what);
      assertThat(inOrder).isSortedAccordingTo((a, b) -> Arrays.compare(a.index(), b.index()));
      assertChunks(
          model, selection, array.chunks(selection.selection()).collectList().block(), what);
    }
    for (long[] chunk : model.grid().chunks()) {
      assertThat(array.readChunk(chunk).block().bytes().toByteArray())
          .as("chunk " + Arrays.toString(chunk) + " of " + model)
          .isEqualTo(model.chunk(chunk));
    }
  }

  private static void assertRead(
      RandomArray model, RandomSelection selection, NdArray read, String what) {
    assertThat(read.shape())
        .as(what)
        .isEqualTo(selection.selection().resolve(model.grid().shape()).shape());
    assertThat(read.bytes().toByteArray()).as(what).isEqualTo(model.elements(selection.elements()));
  }

  private static void assertChunks(
      RandomArray model, RandomSelection selection, List<Chunk> chunks, String what) {
    Map<long[], byte[]> expected = new TreeMap<>(Arrays::compare);
    selection
        .placesByChunk(model.grid())
        .forEach(
            (chunk, places) ->
                expected.put(
                    chunk,
                    model.elements(places.stream().map(selection.elements()::get).toList())));
    Map<long[], byte[]> found = new TreeMap<>(Arrays::compare);
    for (Chunk chunk : chunks) {
      assertThat(found.put(chunk.index(), chunk.data().bytes().toByteArray())).as(what).isNull();
      assertThat(chunk.data().shape()).as(what).isEqualTo(chunk.selection().shape());
    }
    assertThat(found.keySet()).as(what).containsExactlyElementsOf(expected.keySet());
    expected.forEach(
        (chunk, elements) -> assertThat(found.get(chunk)).as(what).isEqualTo(elements));
  }
}
