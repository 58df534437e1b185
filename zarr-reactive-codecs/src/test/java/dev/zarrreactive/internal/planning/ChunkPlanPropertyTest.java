package dev.zarrreactive.internal.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.chunkgrid.ChunkGrid;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.testing.RandomGrid;
import dev.zarrreactive.testing.RandomSelection;
import java.util.ArrayList;
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

/** Plans against a model that goes element by element. */
class ChunkPlanPropertyTest {
  private static final int[] ITEM_SIZES = {1, 2, 3, 4, 8, 16};

  /** One plan: what is asked for, and what the model says of it. */
  record Case(RandomGrid random, RandomSelection selected, int itemSize, long seed) {
    static Case of(Random random) {
      RandomGrid grid = RandomGrid.of(random);
      return new Case(
          grid,
          RandomSelection.of(grid.shape(), random),
          ITEM_SIZES[random.nextInt(ITEM_SIZES.length)],
          random.nextLong());
    }

    ChunkGrid grid() {
      return random.grid();
    }

    ResolvedSelection resolved() {
      return selected.selection().resolve(random.shape());
    }

    ChunkPlan plan() {
      return ChunkPlan.of(resolved(), grid());
    }

    Map<long[], List<Integer>> placesByChunk() {
      return selected.placesByChunk(random);
    }

    int inChunk(long[] element) {
      return random.placeInChunk(element);
    }

    int chunkBytes(ChunkProjection part) {
      return grid().chunkShape(part.chunkIndex()).byteSize(itemSize);
    }

    int resultBytes() {
      return selected.elements().size() * itemSize;
    }

    DataType type() {
      return DataTypes.raw(Byte.SIZE * itemSize);
    }

    ElementMemory memory(byte[] array, int offset) {
      int count = (array.length - offset) / itemSize;
      Bytes bytes = Bytes.wrap(array, offset, count * itemSize);
      return ElementMemory.of(NdArray.wrap(type(), Shape.of(count), bytes));
    }

    byte[] randomBytes(int size, long salt) {
      byte[] bytes = new byte[size];
      new Random(seed + salt).nextBytes(bytes);
      return bytes;
    }

    @Override
    public String toString() {
      return selected.selection() + " of " + random + ", items of " + itemSize;
    }
  }

  @Provide
  Arbitrary<Case> cases() {
    return Arbitraries.randomValue(Case::of);
  }

  @Property(tries = 1500)
  void every_selected_element_is_in_the_part_of_its_chunk_and_chunks_ascend(
      @ForAll("cases") Case c) {
    List<ChunkProjection> parts = new ArrayList<>();
    c.plan().forEach(parts::add);
    Map<long[], List<Integer>> model = c.placesByChunk();
    assertThat(parts.stream().map(ChunkProjection::chunkIndex))
        .containsExactlyElementsOf(model.keySet());
    List<long[]> indices = new ArrayList<>();
    c.plan().forEachIndex(index -> indices.add(index.clone()));
    assertThat(indices).containsExactlyElementsOf(model.keySet());
    for (ChunkProjection part : parts) {
      List<long[]> expected = elements(c, model.get(part.chunkIndex()));
      assertThat(elementsOf(part.selected())).containsExactlyElementsOf(expected);
      assertThat(part.region().shape().elementCount()).isEqualTo(expected.size());
    }
  }

  @Property(tries = 1500)
  void the_parts_copied_to_the_result_are_the_selection(@ForAll("cases") Case c) {
    byte[] result = new byte[c.resultBytes()];
    byte[] expected = new byte[c.resultBytes()];
    Map<long[], List<Integer>> model = c.placesByChunk();
    for (ChunkProjection part : c.plan()) {
      int offset = part.chunkIndex().length;
      byte[] chunk = c.randomBytes(offset + c.chunkBytes(part), Arrays.hashCode(part.chunkIndex()));
      part.region().copyToResult(c.memory(chunk, offset), c.memory(result, 0));

      List<Integer> places = model.get(part.chunkIndex());
      byte[] alone = new byte[places.size() * c.itemSize()];
      byte[] expectedAlone = alone.clone();
      part.region().alone().copyToResult(c.memory(chunk, offset), c.memory(alone, 0));
      for (int i = 0; i < places.size(); i++) {
        int from = offset + c.inChunk(c.selected().elements().get(places.get(i))) * c.itemSize();
        System.arraycopy(chunk, from, expected, places.get(i) * c.itemSize(), c.itemSize());
        System.arraycopy(chunk, from, expectedAlone, i * c.itemSize(), c.itemSize());
      }
      assertThat(alone).isEqualTo(expectedAlone);
    }
    assertThat(result).isEqualTo(expected);
  }

  @Property(tries = 1500)
  void the_result_copied_to_the_chunks_changes_the_selected_elements_only(@ForAll("cases") Case c) {
    int offset = 3;
    byte[] result = c.randomBytes(offset + c.resultBytes(), 1);
    Map<long[], List<Integer>> model = c.placesByChunk();
    for (ChunkProjection part : c.plan()) {
      byte[] chunk = c.randomBytes(c.chunkBytes(part), Arrays.hashCode(part.chunkIndex()));
      byte[] expected = chunk.clone();
      part.region().copyToChunk(c.memory(result, offset), c.memory(chunk, 0));
      for (int place : model.get(part.chunkIndex())) { // where an element repeats, the last wins
        int to = c.inChunk(c.selected().elements().get(place)) * c.itemSize();
        System.arraycopy(result, offset + place * c.itemSize(), expected, to, c.itemSize());
      }
      assertThat(chunk).isEqualTo(expected);
    }
  }

  @Property(tries = 1000)
  void the_fill_value_goes_to_the_places_of_a_missing_chunk_only(@ForAll("cases") Case c) {
    byte[] image = c.randomBytes(c.itemSize(), 2);
    FillValue fillValue = FillValue.of(c.type(), image);
    Map<long[], List<Integer>> model = c.placesByChunk();
    for (ChunkProjection part : c.plan()) {
      byte[] result = c.randomBytes(c.resultBytes(), 3);
      byte[] expected = result.clone();
      part.region().fillResult(c.memory(result, 0), fillValue);
      for (int place : model.get(part.chunkIndex())) {
        System.arraycopy(image, 0, expected, place * c.itemSize(), c.itemSize());
      }
      assertThat(result).isEqualTo(expected);
    }
  }

  @Property(tries = 1500)
  void a_chunk_is_covered_where_no_element_of_it_is_left_out(@ForAll("cases") Case c) {
    Map<long[], Long> inside = new TreeMap<>(Arrays::compare);
    RandomSelection.all(c.random().shape())
        .forEach(element -> inside.merge(c.random().chunkOf(element), 1L, Long::sum));
    for (ChunkProjection part : c.plan()) {
      long distinct = elementsOf(part.selected()).stream().map(Arrays::toString).distinct().count();
      boolean covers =
          part.region().coversChunk(c.grid().chunkStart(part.chunkIndex()), c.random().shape());
      boolean all = distinct == inside.get(part.chunkIndex());
      if (part.region() instanceof BoxRegion) {
        assertThat(covers).as("covers chunk " + part).isEqualTo(all);
      } else {
        assertThat(covers && !all).as("covers chunk " + part).isFalse();
      }
    }
  }

  @Property(tries = 1500)
  void a_chunk_that_is_one_run_of_the_result_says_where(@ForAll("cases") Case c) {
    Map<long[], List<Integer>> model = c.placesByChunk();
    for (ChunkProjection part : c.plan()) {
      assertPlaceOfWholeChunk(c, part, part.region(), model.get(part.chunkIndex()));
      List<Integer> places = model.get(part.chunkIndex());
      List<Integer> alone = new ArrayList<>();
      places.forEach(place -> alone.add(alone.size()));
      assertThat(isRun(c, part, places, alone) && isOfRanges(part))
          .isEqualTo(part.region().alone().placeOfWholeChunk() == 0);
    }
  }

  private static void assertPlaceOfWholeChunk(
      Case c, ChunkProjection part, Region region, List<Integer> places) {
    long place = region.placeOfWholeChunk();
    if (isRun(c, part, places, places) && isOfRanges(part)) {
      assertThat(place).isEqualTo((long) places.get(0));
    } else {
      assertThat(place).isNegative();
    }
  }

  /** True where the chunk's elements, all of them and in their order, follow each other. */
  private static boolean isRun(
      Case c, ChunkProjection part, List<Integer> places, List<Integer> inResult) {
    if (places.size() != c.chunkBytes(part) / c.itemSize()) {
      return false;
    }
    for (int i = 0; i < places.size(); i++) {
      if (c.inChunk(c.selected().elements().get(places.get(i))) != i
          || inResult.get(i) != inResult.get(0) + i) {
        return false;
      }
    }
    return true;
  }

  /** Lists of indices are not looked through for runs. */
  private static boolean isOfRanges(ChunkProjection part) {
    return part.selected() instanceof ResolvedSelection.Orthogonal orthogonal
        && orthogonal.axes().stream().allMatch(axis -> axis instanceof Axis.Range);
  }

  private static List<long[]> elements(Case c, List<Integer> places) {
    return places.stream().map(place -> c.selected().elements().get(place)).toList();
  }

  private static List<long[]> elementsOf(ResolvedSelection selected) {
    List<long[]> elements = new ArrayList<>();
    if (selected instanceof ResolvedSelection.Points points) {
      for (int p = 0; p < points.count(); p++) {
        int point = p;
        long[] element = new long[points.rank()];
        Arrays.setAll(element, d -> points.index(d, point));
        elements.add(element);
      }
      return elements;
    }
    List<Axis> axes = ((ResolvedSelection.Orthogonal) selected).axes();
    Shape counts = Shape.of(axes.stream().mapToLong(Axis::count).toArray());
    for (long[] position : RandomSelection.all(counts)) {
      long[] element = new long[position.length];
      Arrays.setAll(element, d -> index(axes.get(d), position[d]));
      elements.add(element);
    }
    return elements;
  }

  private static long index(Axis axis, long position) {
    return axis instanceof Axis.Range range
        ? range.start() + position * range.step()
        : ((Axis.Indices) axis).index((int) position);
  }
}
