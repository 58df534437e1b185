package dev.zarrreactive.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Axis;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import reactor.core.publisher.Flux;

/** Writing against a model that goes element by element. */
class WritingPropertyTest {
  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Provide
  Arbitrary<ZarrOptions> options() {
    return Arbitraries.randomValue(WritingPropertyTest::options);
  }

  private static ZarrOptions options(Random random) {
    return ZarrOptions.defaults()
        .withMaxConcurrency(1 + random.nextInt(8))
        .withWriteEmptyChunks(random.nextBoolean());
  }

  @Property(tries = 400)
  void after_any_writes_the_array_is_what_the_model_is(
      @ForAll("arrays") RandomArray model, @ForAll("options") ZarrOptions options) {
    ZarrArray array = model.create(options);
    List<Selection> written = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      RandomSelection selection = model.selection();
      NdArray data = model.data(selection.selection().resolve(model.grid().shape()).shape());
      array.write(selection.selection(), data).block();
      model.write(selection.elements(), data);
      written.add(selection.selection());
      assertThat(array.read(Selection.all()).block().bytes().toByteArray())
          .as(written + " of " + model)
          .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
    }
  }

  @Property(tries = 200)
  void an_array_copied_chunk_by_chunk_to_another_chunk_grid_is_the_same(
      @ForAll("arrays") RandomArray model, @ForAll("options") ZarrOptions options) {
    ZarrArray source = model.create(options);
    model.storeSomeChunks(source.store());
    ZarrArray target = model.sameShape().create(options);
    target.write(source.chunks(Selection.all())).block();
    assertThat(target.read(Selection.all()).block().bytes().toByteArray())
        .as(model + " to " + target.metadata())
        .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
  }

  @Property(tries = 300)
  void chunks_in_any_order_of_any_grid_that_overlap_or_lack_are_written_as_the_model_is(
      @ForAll("arrays") RandomArray model,
      @ForAll("options") ZarrOptions options,
      @ForAll Random random) {
    ZarrOptions bounded = options.withMaxInFlightBytes(1L << random.nextInt(8, 24));
    ZarrArray array = model.create(bounded);
    for (int i = 0; i < 2; i++) {
      List<Chunk> chunks = chunksOfAnotherGrid(model);
      chunks.subList(0, random.nextInt(1 + chunks.size() / 2)).clear();
      chunksOfAnotherGrid(model).stream().limit(chunks.size() / 4).forEach(chunks::add);
      Collections.shuffle(chunks, random);
      array.write(Flux.fromIterable(chunks)).block();
      chunks.forEach(chunk -> model.write(elements(chunk.selection()), chunk.data()));
      assertThat(array.read().block().bytes().toByteArray())
          .as("%s to %s", chunks, model)
          .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
    }
  }

  @Property(tries = 200)
  void selections_of_any_kind_are_gathered_and_the_later_one_stays(
      @ForAll("arrays") RandomArray model,
      @ForAll("options") ZarrOptions options,
      @ForAll Random random) {
    ZarrArray array = model.create(options.withMaxInFlightBytes(1L << random.nextInt(8, 24)));
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      RandomSelection selection = model.selection();
      ResolvedSelection resolved = selection.selection().resolve(model.grid().shape());
      NdArray data = model.data(resolved.shape());
      chunks.add(new Chunk(new long[model.grid().shape().rank()], resolved, data));
      model.write(selection.elements(), data);
    }
    array.write(Flux.fromIterable(chunks)).block();
    assertThat(array.read().block().bytes().toByteArray())
        .as("%s to %s", chunks, model)
        .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
  }

  private static List<Chunk> chunksOfAnotherGrid(RandomArray model) {
    ZarrArray source = model.sameShape().create(ZarrOptions.defaults());
    source.write(Selection.all(), model.data(model.grid().shape())).block();
    return source.chunks(Selection.all()).collectList().block();
  }

  /** Returns the elements of a box. */
  private static List<long[]> elements(ResolvedSelection box) {
    List<Axis> axes = ((ResolvedSelection.Orthogonal) box).axes();
    return RandomSelection.all(Shape.of(axes.stream().mapToLong(Axis::count).toArray())).stream()
        .map(
            place -> {
              long[] element = place.clone();
              Arrays.setAll(element, d -> place[d] + ((Axis.Range) axes.get(d)).start());
              return element;
            })
        .toList();
  }

  @Property(tries = 200)
  void blocks_of_any_number_of_rows_are_written_as_one_array_is(
      @ForAll("arrays") RandomArray model,
      @ForAll("options") ZarrOptions options,
      @ForAll Random random) {
    ZarrOptions bounded = options.withMaxInFlightBytes(1L << random.nextInt(8, 24));
    ZarrArray array = model.create(bounded);
    for (int i = 0; i < 4; i++) {
      RandomSelection selection = i == 0 ? everything(model.grid().shape()) : model.selection();
      Shape shape = selection.selection().resolve(model.grid().shape()).shape();
      if (shape.rank() == 0) {
        continue;
      }
      NdArray data = model.data(shape);
      array.write(selection.selection(), blocks(data, random)).block();
      model.write(selection.elements(), data);
      assertThat(array.read().block().bytes().toByteArray())
          .as("%s of %s", selection.selection(), model)
          .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
    }
  }

  private static RandomSelection everything(Shape shape) {
    return new RandomSelection(Selection.all(), RandomSelection.all(shape));
  }

  /** Cuts an array along its first dimension; some blocks are empty, and some are views. */
  private static Flux<NdArray> blocks(NdArray data, Random random) {
    long[] offset = new long[data.shape().rank()];
    long[] shape = data.shape().toArray();
    long rows = shape[0];
    List<NdArray> blocks = new ArrayList<>();
    while (offset[0] < rows) {
      shape[0] = Math.min(rows - offset[0], random.nextInt(1 + (int) Math.min(20, rows)));
      NdArray block = data.slice(Selection.box(offset.clone(), shape.clone()));
      blocks.add(random.nextBoolean() ? block : block.toContiguous());
      offset[0] += shape[0];
    }
    return Flux.fromIterable(blocks);
  }

  @Property(tries = 200)
  void views_and_broadcasts_are_written_as_the_elements_that_they_have(
      @ForAll("arrays") RandomArray model, @ForAll("options") ZarrOptions options) {
    ZarrArray array = model.create(options);
    for (int i = 0; i < 4; i++) {
      RandomSelection selection = model.selection();
      Shape shape = selection.selection().resolve(model.grid().shape()).shape();
      NdArray data = i % 2 == 0 ? transposed(model, shape) : thin(model, shape, i);
      array.write(selection.selection(), data).block();
      model.write(selection.elements(), data.broadcastTo(shape).toContiguous());
      assertThat(array.read().block().bytes().toByteArray())
          .as("%s of %s", selection.selection(), model)
          .isEqualTo(model.elements(RandomSelection.all(model.grid().shape())));
    }
  }

  private static NdArray transposed(RandomArray model, Shape shape) {
    long[] reversed = new long[shape.rank()];
    Arrays.setAll(reversed, d -> shape.extent(reversed.length - 1 - d));
    return model.data(Shape.of(reversed)).transpose();
  }

  /** Data with extents of 1, and without some of the first dimensions. */
  private static NdArray thin(RandomArray model, Shape shape, int i) {
    long[] extents = shape.toArray();
    int left = extents.length == 0 ? 0 : i % extents.length;
    long[] thin = Arrays.copyOfRange(extents, left, extents.length);
    for (int d = i % 2; d < thin.length; d += 2) {
      thin[d] = 1;
    }
    return model.data(Shape.of(thin));
  }
}
