package dev.zarrreactive.imglib2;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.ome.OmeLevel;
import java.util.function.Function;
import java.util.stream.LongStream;
import net.imglib2.img.Img;
import net.imglib2.img.basictypeaccess.array.ArrayDataAccess;
import net.imglib2.img.cell.CellGrid;
import net.imglib2.img.cell.LazyCellImg;
import net.imglib2.type.NativeType;
import reactor.core.publisher.Mono;

/**
 * An array as a lazy image of ImgLib2: nothing is read before a pixel is asked for, and then its
 * cell. <b>The thread that asks for a pixel waits for its cell</b>, as ImgLib2 has it; so it must
 * not be a thread of Reactor or of this library, where the wait is refused with an {@link
 * IllegalStateException}. No thread of this library waits.
 *
 * <p>ImgLib2 names the fastest dimension first: an array of {@code [t, y, x]} is an image of {@code
 * x, y, t}. A cell is a chunk, or an inner chunk of a shard; the part of a chunk that takes more
 * than an eighth of {@link ZarrOptions#maxInFlightBytes} is halved along its longest dimensions,
 * and then the chunk is read for each part. Threads that ask for one cell share one load.
 *
 * <p>Integers, floats, truth values and complex numbers of two floats are pixels; small floats are
 * {@code FloatType}, and integers of less than a byte are {@code ByteType}. The memory of cells is
 * for reading: a pixel that is set is lost with its cell.
 *
 * <p>Errors of a read are thrown where the pixel is asked for, as they are: with the array, the
 * chunk and the key. The next ask reads again. <b>Make a new cursor or accessor after an error or a
 * cancel</b>: ImgLib2 leaves the old one between two cells. An interrupt of the waiting thread
 * cancels its wait, and the load if nobody else waits for it. Thread-safe.
 *
 * @param <T> the pixels
 */
public final class ZarrImage<T extends NativeType<T>> implements AutoCloseable {
  private final Source source;
  private final PixelType type;
  private final CellGrid grid;
  private final long cacheBytes;
  private final CellLoads<?> loads;
  private final Img<T> img;

  /** What an image is of. */
  private record Source(
      String name,
      Shape shape,
      DataType type,
      Shape cell,
      long budget,
      Function<Selection, Mono<NdArray>> read) {}

  private ZarrImage(Source source, PixelType type, CellGrid grid, long cacheBytes) {
    this.source = source;
    this.type = type;
    this.grid = grid;
    this.cacheBytes = cacheBytes;
    CellLoads<?> cells = loads(source, type, grid, cacheBytes);
    this.loads = cells;
    this.img = img(cells, type, grid);
  }

  private static <A extends ArrayDataAccess<A>> CellLoads<A> loads(
      Source source, PixelType type, CellGrid grid, long cacheBytes) {
    return new CellLoads<>(source.name(), grid, type, source.read(), cacheBytes);
  }

  @SuppressWarnings("unchecked") // the pixel is of this type
  private static <T extends NativeType<T>, A extends ArrayDataAccess<A>> Img<T> img(
      CellLoads<A> loads, PixelType type, CellGrid grid) {
    return new LazyCellImg<>(grid, (T) type.pixel(), loads);
  }

  /**
   * Returns the image of an array, whose pixels are of the type that {@link Img#getType} has.
   *
   * @throws UnsupportedFeatureException for elements that are no pixels, such as texts
   * @throws InvalidInputException for an array without dimensions
   */
  public static ZarrImage<?> of(ZarrArray array) {
    return of(source(array));
  }

  /**
   * Returns the image of an array.
   *
   * @param pixel a pixel of the type that the elements have
   * @throws InvalidInputException if they have another; the message names it
   */
  public static <T extends NativeType<T>> ZarrImage<T> of(ZarrArray array, T pixel) {
    return typed(of(array), pixel);
  }

  /** Returns the image of a level of OME-Zarr, as {@link #of(ZarrArray)} of its array. */
  public static ZarrImage<?> of(OmeLevel level) {
    return of(level.array());
  }

  /** Returns the image of a level of OME-Zarr, as {@link #of(ZarrArray, NativeType)}. */
  public static <T extends NativeType<T>> ZarrImage<T> of(OmeLevel level, T pixel) {
    return of(level.array(), pixel);
  }

  /**
   * Returns the image of a variable's values, decoded by the CF conventions: of a dataset, of a
   * selection, or calculated.
   *
   * @param pixel a pixel of the type that the values have
   * @param cell the extents of a cell in the order of the variable's dimensions, at least 1
   * @throws InvalidInputException as {@link #of(ZarrArray, NativeType)}, and for another number of
   *     extents
   */
  public static <T extends NativeType<T>> ZarrImage<T> of(
      Variable variable, T pixel, long... cell) {
    if (cell.length != variable.shape().rank()
        || LongStream.of(cell).anyMatch(extent -> extent < 1)) {
      throw new InvalidInputException(
          "a cell of "
              + variable.name()
              + " has an extent of at least 1 for each of "
              + variable.dimensions()
              + ", not "
              + Shape.of(cell));
    }
    long budget =
        (variable.isStored() ? variable.array().options() : ZarrOptions.defaults())
            .maxInFlightBytes();
    return typed(
        of(
            new Source(
                variable.name(),
                variable.shape(),
                variable.dataType(),
                Shape.of(cell),
                budget,
                variable::read)),
        pixel);
  }

  private static Source source(ZarrArray array) {
    Shape cell = array.chunkGrid().largestChunkShape();
    NamedConfiguration first = array.metadata().codecs().get(0);
    if (first.name().equals("sharding_indexed")
        && first.member("chunk_shape").value() instanceof JsonArray inner) {
      cell =
          Shape.of(
              inner.elements().stream()
                  .mapToLong(extent -> ((JsonNumber) extent).toBigInteger().longValueExact())
                  .toArray());
    }
    return new Source(
        array.path().toString(),
        array.shape(),
        array.dataType(),
        cell,
        array.options().maxInFlightBytes(),
        array::read);
  }

  private static ZarrImage<?> of(Source source) {
    PixelType type = PixelType.of(source.type());
    if (type == null) {
      throw new UnsupportedFeatureException(
          "ImgLib2 has no pixels for elements of "
              + source.type().name()
              + ": numbers and truth values are pixels",
          Location.ofNode(source.name()));
    }
    if (source.shape().rank() == 0) {
      throw new InvalidInputException(
          "an image has at least one dimension, and " + source.name() + " has none: read it");
    }
    return new ZarrImage<>(source, type, grid(source, type), source.budget());
  }

  private static CellGrid grid(Source source, PixelType type) {
    int rank = source.shape().rank();
    long[] extents = new long[rank];
    int[] cell = new int[rank];
    for (int d = 0; d < rank; d++) {
      extents[d] = source.shape().extent(rank - 1 - d);
      long most = Math.max(1, Math.min(extents[d], Integer.MAX_VALUE));
      cell[d] = (int) Math.min(most, source.cell().extent(rank - 1 - d));
    }
    long most = Math.min(source.budget() / 8, Integer.MAX_VALUE - 8L);
    while (bytes(cell, type) > most) {
      int longest = 0;
      for (int d = 1; d < rank; d++) {
        longest = cell[d] > cell[longest] ? d : longest;
      }
      if (cell[longest] == 1) {
        break;
      }
      cell[longest] = (cell[longest] + 1) / 2;
    }
    return new CellGrid(extents, cell);
  }

  private static long bytes(int[] cell, PixelType type) {
    long bytes = type.bytes();
    for (int extent : cell) {
      bytes = bytes > Long.MAX_VALUE / extent ? Long.MAX_VALUE : bytes * extent;
    }
    return bytes;
  }

  @SuppressWarnings("unchecked") // both pixels are of one class
  private static <T extends NativeType<T>> ZarrImage<T> typed(ZarrImage<?> image, T pixel) {
    Class<?> is = image.type.pixel().getClass();
    if (!is.equals(pixel.getClass())) {
      throw new InvalidInputException(
          "the pixels of "
              + image.source.name()
              + " are "
              + is.getSimpleName()
              + ", as its elements are "
              + image.source.type().name()
              + ", not "
              + pixel.getClass().getSimpleName());
    }
    return (ZarrImage<T>) image;
  }

  /**
   * Returns the same image with another bound of the cells that are kept, and without any yet. The
   * least recently used make room. Unless this says so, as many are kept as {@link
   * ZarrOptions#maxInFlightBytes} has room for.
   *
   * @param most in bytes of pixels, at least those of one cell
   * @throws InvalidInputException for fewer
   */
  public ZarrImage<T> withCacheBytes(long most) {
    long least = bytes(grid.getCellDimensions(), type);
    if (most < least) {
      throw new InvalidInputException(
          "a cell of " + source.name() + " takes " + least + " bytes, more than " + most);
    }
    return new ZarrImage<>(source, type, grid, most);
  }

  /** The image, for cursors, views and viewers; the same object at each call. */
  public Img<T> img() {
    return img;
  }

  /**
   * Cancels the loads that threads wait for, as a viewer wants it that has moved on: their requests
   * end, and the threads get a {@link java.util.concurrent.CancellationException}. What is asked
   * for afterwards is loaded. Kept cells stay.
   */
  public void cancelLoads() {
    loads.cancel();
  }

  /**
   * Cancels the loads as {@link #cancelLoads}, and refuses later ones with an {@link
   * IllegalStateException}; cells that are kept can be read still.
   */
  @Override
  public void close() {
    loads.close();
  }

  @Override
  public String toString() {
    return "image of " + source.name() + ", at most " + cacheBytes + " bytes of cells";
  }
}
