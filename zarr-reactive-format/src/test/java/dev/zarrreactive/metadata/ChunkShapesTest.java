package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import java.math.BigInteger;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The shapes of chunks and shards that are chosen. */
class ChunkShapesTest {
  private static final Access BLOCKS = Access.blocks();

  @Provide
  Arbitrary<long[]> shapes() {
    Arbitrary<Long> extents =
        Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.of(0L, 1L, Long.MAX_VALUE)),
            Tuple.of(3, Arbitraries.longs().between(1, 40)),
            Tuple.of(3, Arbitraries.longs().between(1, 100_000)),
            Tuple.of(1, Arbitraries.longs().between(1, Long.MAX_VALUE)));
    return extents.array(long[].class).ofMinSize(0).ofMaxSize(6);
  }

  private static Access access(int rank, int number) {
    if (rank == 0 || number == 0) {
      return BLOCKS;
    }
    return rank == 1 || number % 2 == 0
        ? Access.series(number % rank)
        : Access.planes(number % rank, (number + 1) % rank);
  }

  private static BigInteger product(long... extents) {
    return Arrays.stream(extents)
        .mapToObj(BigInteger::valueOf)
        .reduce(BigInteger.ONE, BigInteger::multiply);
  }

  private static void withinBytes(long most, int size, long... extents) {
    assertThat(product(extents).multiply(BigInteger.valueOf(size)))
        .as(Arrays.toString(extents))
        .isLessThanOrEqualTo(BigInteger.valueOf(Math.max(most, size)));
  }

  @Property(tries = 2000)
  void a_chunk_is_bounded_and_lies_in_the_array(
      @ForAll("shapes") long[] extents,
      @ForAll @IntRange(min = 1, max = 3_000_000) int size,
      @ForAll @IntRange(max = 9) int hint) {
    Shape array = Shape.of(extents);
    Access access = access(array.rank(), hint);
    long[] chunk = ChunkShapes.chunk(array, size, access);
    assertThat(chunk).hasSize(extents.length).isEqualTo(ChunkShapes.chunk(array, size, access));
    withinBytes(ChunkShapes.CHUNK_BYTES, size, chunk);
    for (int d = 0; d < chunk.length; d++) {
      assertThat(chunk[d]).isPositive();
      if (extents[d] > 0) {
        assertThat(chunk[d]).isLessThanOrEqualTo(extents[d]);
      }
    }
  }

  @Property(tries = 2000)
  void an_array_that_fits_is_one_chunk(@ForAll("shapes") long[] extents) {
    Shape array = Shape.of(extents);
    if (!array.isEmpty() && array.elementCountUpTo(1 << 20) <= 1 << 18) {
      assertThat(ChunkShapes.chunk(array, 4, BLOCKS)).isEqualTo(extents);
    }
  }

  @Property(tries = 2000)
  void a_shard_is_bounded_and_holds_whole_chunks(
      @ForAll("shapes") long[] extents,
      @ForAll @IntRange(min = 1, max = 3_000_000) int size,
      @ForAll @IntRange(max = 9) int hint) {
    Shape array = Shape.of(extents);
    Access access = access(array.rank(), hint);
    long[] chunk = ChunkShapes.chunk(array, size, access);
    long[] shard = ChunkShapes.shard(array, chunk, size, access);
    withinBytes(ChunkShapes.SHARD_BYTES, size, shard);
    for (int d = 0; d < chunk.length; d++) {
      assertThat(shard[d] % chunk[d]).isZero();
      assertThat(shard[d]).isPositive();
      if (extents[d] > 0) {
        assertThat(shard[d] - chunk[d]).isLessThan(extents[d]);
      }
    }
  }

  @Property(tries = 2000)
  void a_shard_of_any_chunks_is_bounded_or_one_chunk(
      @ForAll("shapes") long[] extents, @ForAll("shapes") long[] given) {
    Shape array = Shape.of(extents);
    long[] chunk = Arrays.copyOf(given, extents.length);
    Arrays.setAll(chunk, d -> Math.max(1, chunk[d]));
    long[] shard = ChunkShapes.shard(array, chunk, 8, BLOCKS);
    if (!Arrays.equals(shard, chunk)) {
      withinBytes(ChunkShapes.SHARD_BYTES, 8, shard);
    }
    for (int d = 0; d < chunk.length; d++) {
      assertThat(shard[d] % chunk[d]).isZero();
    }
  }

  @Property(tries = 1000)
  void a_chunk_for_given_shards_divides_them(
      @ForAll("shapes") long[] extents, @ForAll @IntRange(min = 1, max = 64) int size) {
    long[] shard = extents.clone();
    Arrays.setAll(shard, d -> Math.max(1, shard[d] % 5000));
    long[] inner = ChunkShapes.inner(shard, size, BLOCKS);
    if (inner != null) {
      withinBytes(ChunkShapes.CHUNK_BYTES, size, inner);
      for (int d = 0; d < shard.length; d++) {
        assertThat(shard[d] % inner[d]).isZero();
      }
    }
  }

  private static long[] floats(Access access, long... shape) {
    return ChunkShapes.chunk(Shape.of(shape), DataTypes.FLOAT32.itemSize(), access);
  }

  @Test
  void blocks_are_near_to_cubes() {
    assertThat(floats(BLOCKS, 100_000, 100_000)).containsExactly(512, 512);
    assertThat(floats(BLOCKS, 1000, 1000, 1000)).containsExactly(64, 64, 64);
    assertThat(floats(BLOCKS, 1000, 1000)).containsExactly(500, 500);
    assertThat(floats(BLOCKS, 1_000_000_000)).containsExactly(262_144);
    assertThat(floats(BLOCKS, 3, 100_000, 100_000)).containsExactly(3, 295, 296);
    assertThat(floats(BLOCKS)).isEmpty();
  }

  @Test
  void a_hint_makes_chunks_long_along_its_axes() {
    assertThat(floats(Access.series(0), 8760, 721, 1440)).containsExactly(8760, 5, 5);
    assertThat(floats(Access.planes(1, 2), 8760, 721, 1440)).containsExactly(1, 361, 720);
    assertThat(floats(Access.planes(2, 1), 8760, 180, 360)).containsExactly(4, 180, 360);
  }

  @Test
  void an_extent_that_is_to_grow_counts_as_long() {
    assertThat(floats(BLOCKS, 0)).containsExactly(262_144);
    assertThat(floats(BLOCKS, 0, 100, 100)).containsExactly(104, 50, 50);
    assertThat(floats(Access.planes(1, 2), 0, 100, 100)).containsExactly(26, 100, 100);
  }

  @Test
  void shards_hold_about_64_chunks() {
    Shape array = Shape.of(100_000, 100_000);
    assertThat(ChunkShapes.shard(array, new long[] {512, 512}, 4, BLOCKS))
        .containsExactly(4096, 4096);
    assertThat(ChunkShapes.shard(Shape.of(0), new long[] {1 << 18}, 4, BLOCKS))
        .containsExactly(1 << 24);
    long[] enormous = {Long.MAX_VALUE, Long.MAX_VALUE};
    assertThat(ChunkShapes.shard(array, enormous, 4, BLOCKS)).isEqualTo(enormous);
  }

  @Test
  void shards_without_divisors_give_no_chunks() {
    assertThat(ChunkShapes.inner(new long[] {1000, 1000}, 4, BLOCKS)).containsExactly(500, 500);
    assertThat(ChunkShapes.inner(new long[] {1_000_003}, 4, BLOCKS)).isNull();
    assertThat(ChunkShapes.inner(new long[] {7919}, 4, BLOCKS)).containsExactly(7919);
  }
}
