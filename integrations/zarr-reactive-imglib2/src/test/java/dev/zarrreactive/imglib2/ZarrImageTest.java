package dev.zarrreactive.imglib2;

import static dev.zarrreactive.testing.Waiting.eventually;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.HeldRequests;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import net.imglib2.Cursor;
import net.imglib2.RandomAccess;
import net.imglib2.RandomAccessibleInterval;
import net.imglib2.img.Img;
import net.imglib2.img.cell.AbstractCellImg;
import net.imglib2.type.NativeType;
import net.imglib2.type.logic.NativeBoolType;
import net.imglib2.type.numeric.complex.ComplexDoubleType;
import net.imglib2.type.numeric.complex.ComplexFloatType;
import net.imglib2.type.numeric.integer.ByteType;
import net.imglib2.type.numeric.integer.IntType;
import net.imglib2.type.numeric.integer.LongType;
import net.imglib2.type.numeric.integer.ShortType;
import net.imglib2.type.numeric.integer.UnsignedByteType;
import net.imglib2.type.numeric.integer.UnsignedIntType;
import net.imglib2.type.numeric.integer.UnsignedLongType;
import net.imglib2.type.numeric.integer.UnsignedShortType;
import net.imglib2.type.numeric.real.DoubleType;
import net.imglib2.type.numeric.real.FloatType;
import net.imglib2.view.Views;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** An array is an image that loads the cells that are looked at. */
class ZarrImageTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  /** Five by six by seven elements, each of its number, in chunks of two by three by four. */
  private ZarrArray array(
      DataType type, UnaryOperator<ArrayMetadataBuilder> change, ZarrOptions options) {
    ArrayMetadata metadata =
        change.apply(ArrayMetadata.v3(Shape.of(5, 6, 7), type).chunkShape(2, 3, 4)).build();
    ZarrArray array =
        requireNonNull(Zarr.hierarchy(store, options).createArray("a", metadata).block());
    NdArray numbers =
        NdArray.ofInts(DataTypes.INT32, Shape.of(5, 6, 7), IntStream.range(0, 210).toArray());
    array.write(Selection.all(), numbers.cast(type)).block();
    return array;
  }

  private ZarrArray array() {
    return array(DataTypes.INT32, builder -> builder, ZarrOptions.defaults());
  }

  private long gets() {
    return store.counts().total(StoreOperation.GET);
  }

  @Test
  void a_cursor_sees_every_element_at_its_place() {
    Img<IntType> img = ZarrImage.of(array(), new IntType()).img();
    assertThat(img.dimensionsAsLongArray()).containsExactly(7, 6, 5);
    Cursor<IntType> cursor = img.localizingCursor();
    int count = 0;
    while (cursor.hasNext()) {
      int value = cursor.next().get();
      assertThat(value)
          .isEqualTo(
              cursor.getIntPosition(0)
                  + 7 * cursor.getIntPosition(1)
                  + 42 * cursor.getIntPosition(2));
      count++;
    }
    assertThat(count).isEqualTo(210);
  }

  @Test
  void views_load_the_cells_that_they_show() {
    ZarrArray array = array();
    long before = gets();
    Img<IntType> img = ZarrImage.of(array, new IntType()).img();
    assertThat(gets()).isEqualTo(before);
    RandomAccessibleInterval<IntType> view =
        Views.rotate(
            Views.hyperSlice(Views.interval(img, new long[] {4, 0, 3}, new long[] {6, 2, 3}), 2, 3),
            0,
            1);
    int sum = 0;
    for (IntType pixel : view) {
      sum += pixel.get();
    }
    int expected = 0;
    for (int y = 0; y < 3; y++) {
      for (int x = 4; x < 7; x++) {
        expected += 3 * 42 + y * 7 + x;
      }
    }
    assertThat(sum).isEqualTo(expected);
    assertThat(gets() - before).isEqualTo(1);
    for (IntType pixel : view) {
      sum -= pixel.get();
    }
    assertThat(sum).isZero();
    assertThat(gets() - before).isEqualTo(1);
  }

  @Test
  void cells_that_do_not_fit_are_loaded_again() {
    ZarrArray array = array();
    ZarrImage<IntType> image = ZarrImage.of(array, new IntType()).withCacheBytes(200);
    RandomAccess<IntType> pixels = image.img().randomAccess();
    long before = gets();
    for (int round = 0; round < 2; round++) {
      for (int z = 0; z < 5; z += 2) {
        pixels.setPosition(new long[] {0, 0, z});
        assertThat(pixels.get().get()).isEqualTo(z * 42);
      }
    }
    // two cells of 96 bytes fit
    assertThat(gets() - before).isGreaterThan(3);
    assertThatThrownBy(() -> image.withCacheBytes(95))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("96 bytes");
  }

  @Test
  void a_cell_of_a_shard_is_an_inner_chunk() {
    ZarrArray array =
        array(DataTypes.INT32, builder -> builder.shardShape(4, 6, 8), ZarrOptions.defaults());
    Img<IntType> img = ZarrImage.of(array, new IntType()).img();
    assertThat(((AbstractCellImg<?, ?, ?, ?>) img).getCellGrid().getCellDimensions())
        .containsExactly(4, 3, 2);
    int sum = 0;
    for (IntType pixel : img) {
      sum += pixel.get();
    }
    assertThat(sum).isEqualTo(209 * 210 / 2);
  }

  @Test
  void a_large_chunk_is_several_cells() {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(1024, 1024), DataTypes.UINT8).chunkShape(1024, 1024).build();
    ZarrArray array =
        requireNonNull(
            Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(4 << 20))
                .createArray("large", metadata)
                .block());
    Img<?> img = ZarrImage.of(array).img();
    assertThat(((AbstractCellImg<?, ?, ?, ?>) img).getCellGrid().getCellDimensions())
        .containsExactly(512, 1024);
  }

  @Test
  void loads_are_cancelled_when_the_viewer_moves_on() {
    ZarrArray array = array();
    ZarrImage<IntType> image = ZarrImage.of(array, new IntType());
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.GET);
    CompletableFuture<Integer> pixel =
        CompletableFuture.supplyAsync(
            () -> image.img().randomAccess().get().get(), task -> new Thread(task).start());
    eventually("a request", () -> held.waiting() > 0);
    image.cancelLoads();
    assertThatThrownBy(pixel::join)
        .hasCauseInstanceOf(CancellationException.class)
        .hasMessageContaining("[0, 0, 0]")
        .hasMessageContaining("ask again");
    eventually("the request's end", () -> store.counts().inFlight() == 0);
    store.behave();
    assertThat(image.img().randomAccess().get().get()).isZero();
  }

  @Test
  void an_interrupt_ends_the_wait_and_the_load() {
    ZarrImage<IntType> image = ZarrImage.of(array(), new IntType());
    HeldRequests held = store.hold(request -> request.operation() == StoreOperation.GET);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread viewer =
        new Thread(
            () -> {
              try {
                image.img().randomAccess().get().get();
              } catch (RuntimeException e) {
                thrown.set(e);
              }
            });
    viewer.start();
    eventually("a request", () -> held.waiting() > 0);
    viewer.interrupt();
    eventually("the end of the thread", () -> !viewer.isAlive());
    assertThat(thrown.get()).isInstanceOf(CancellationException.class);
    eventually("the request's end", () -> store.counts().inFlight() == 0);
  }

  @Test
  void a_closed_image_loads_nothing() {
    ZarrImage<IntType> image = ZarrImage.of(array(), new IntType());
    RandomAccess<IntType> pixels = image.img().randomAccess();
    assertThat(pixels.get().get()).isZero();
    image.close();
    assertThat(pixels.get().get()).isZero();
    pixels.setPosition(new long[] {6, 5, 4});
    assertThatThrownBy(pixels::get)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void an_error_says_where_and_the_next_ask_reads_again() {
    ZarrArray array = array();
    StoreKey key = StoreKey.of("a/c/0/0/0");
    Bytes good = requireNonNull(store.get(key).block());
    store.set(key, Bytes.utf8("no chunk")).block();
    Img<IntType> img = ZarrImage.of(array, new IntType()).img();
    RandomAccess<IntType> pixels = img.randomAccess();
    assertThatThrownBy(pixels::get)
        .isInstanceOf(ZarrException.class)
        .hasMessageContaining("/a")
        .hasMessageContaining("a/c/0/0/0");
    store.set(key, good).block();
    assertThat(img.randomAccess().get().get()).isZero();
  }

  @Test
  void a_thread_that_may_not_wait_is_refused() {
    RandomAccess<IntType> pixels = ZarrImage.of(array(), new IntType()).img().randomAccess();
    CompletableFuture<Integer> pixel =
        CompletableFuture.supplyAsync(
            () -> pixels.get().get(), task -> Schedulers.parallel().schedule(task));
    assertThatThrownBy(pixel::join)
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("block");
  }

  private void assertPixel(NdArray values, Object pixel, String text) {
    Variable variable = Variable.of("v", List.of("x"), values);
    NativeType<?> type = requireNonNull(PixelType.of(values.dataType())).pixel();
    assertThat(type).isInstanceOf((Class<?>) pixel);
    assertThat(String.valueOf(image(variable, type).randomAccess().setPositionAndGet(1)))
        .isEqualTo(text);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Img<?> image(Variable variable, NativeType<?> type) {
    return ZarrImage.of(variable, (NativeType) type, 2).img();
  }

  @Test
  void elements_are_pixels_of_their_type() {
    Shape two = Shape.of(2);
    NdArray ints = NdArray.ofInts(DataTypes.INT32, two, 1, -2);
    assertPixel(ints, IntType.class, "-2");
    assertPixel(ints.cast(DataTypes.INT8), ByteType.class, "-2");
    assertPixel(ints.cast(DataTypes.INT4), ByteType.class, "-2");
    assertPixel(ints.cast(DataTypes.INT16), ShortType.class, "-2");
    assertPixel(ints.cast(DataTypes.INT64), LongType.class, "-2");
    NdArray large = NdArray.ofLongs(DataTypes.INT64, two, 1, 200);
    assertPixel(large.cast(DataTypes.UINT8), UnsignedByteType.class, "200");
    assertPixel(large.cast(DataTypes.UINT16), UnsignedShortType.class, "200");
    assertPixel(large.cast(DataTypes.UINT32), UnsignedIntType.class, "200");
    assertPixel(large.cast(DataTypes.UINT64), UnsignedLongType.class, "200");
    NdArray doubles = NdArray.ofDoubles(two, 1, 0.5);
    assertPixel(doubles, DoubleType.class, "0.5");
    assertPixel(doubles.cast(DataTypes.FLOAT32), FloatType.class, "0.5");
    assertPixel(doubles.cast(DataTypes.FLOAT16), FloatType.class, "0.5");
    assertPixel(doubles.cast(DataTypes.BFLOAT16), FloatType.class, "0.5");
    assertPixel(NdArray.ofBooleans(two, false, true), NativeBoolType.class, "true");
    assertPixel(NdArray.ofComplex(two, 1f, 2f, 3f, 4f), ComplexFloatType.class, "(3.0) + (4.0)i");
    assertPixel(NdArray.ofComplex(two, 1d, 2d, 3d, 4d), ComplexDoubleType.class, "(3.0) + (4.0)i");
  }

  @Test
  void what_is_no_image_is_refused() {
    assertThatThrownBy(() -> ZarrImage.of(array(), new FloatType()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("IntType")
        .hasMessageContaining("int32");
    Variable text =
        Variable.of("t", List.of("x"), NdArray.ofStrings(DataTypes.STRING, Shape.of(1), "a"));
    assertThatThrownBy(() -> ZarrImage.of(text, new FloatType(), 1))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("string");
    Variable one = Variable.of("o", List.of(), NdArray.scalar(DataTypes.FLOAT32, 1.0));
    assertThatThrownBy(() -> ZarrImage.of(one, new FloatType()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("dimension");
  }
}
