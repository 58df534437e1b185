package dev.zarrreactive.cli.input;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.datatype.DataType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A file of elements of one size, in C or Fortran order: a NumPy file or raw binary. It is read box
 * by box, each of whole chunks of the array, so that every chunk is stored once.
 *
 * @param path of the file
 * @param start the position of the first element
 * @param isFortran whether the first dimension varies fastest
 */
record ElementFile(Path path, long start, ItemLayout layout, Shape shape, boolean isFortran)
    implements ElementSource, Slabs {
  /** A part of the heap for the bytes of one box: reading, images and encoding hold several. */
  private static final int SHARE_OF_HEAP = 24;

  private static final long MOST_BYTES = 64 << 20;

  /** Checks the size of the file. */
  static ElementFile checked(
      Path path, long start, ItemLayout layout, Shape shape, boolean isFortran, long fileSize) {
    BigInteger expected = shape.elementCount().multiply(BigInteger.valueOf(layout.fileSize()));
    if (!expected.equals(BigInteger.valueOf(fileSize - start))) {
      throw new CommandFailure(
          "the file has "
              + (fileSize - start)
              + " bytes of elements, and "
              + layout.dataType()
              + " "
              + shape
              + " has "
              + expected);
    }
    return new ElementFile(path, start, layout, shape, isFortran);
  }

  @Override
  public DataType dataType() {
    return layout.dataType();
  }

  @Override
  public Mono<Void> writeTo(
      ZarrArray array, boolean isResumed, DoubleConsumer progress, Scheduler reader) {
    long[] cell = array.chunkGrid().largestChunkShape().toArray();
    long budget = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    long most = Math.max(1, budget / Math.max(layout.fileSize(), dataType().itemSize()));
    BoxWalk boxes = new BoxWalk(shape, cell, most, isFortran);
    Mono<Long> first =
        isResumed
            ? StoredBefore.of(array, isFortran, MOST_BYTES).map(boxes::numberOf).defaultIfEmpty(0L)
            : Mono.just(0L);
    return first.flatMap(
        from ->
            Mono.using(
                    () -> FileChannel.open(path),
                    channel ->
                        boxes(boxes, from, progress)
                            .publishOn(reader, 1)
                            .map(box -> loaded(channel, box, most))
                            .concatMap(part -> write(array, part, channel, most, reader), 1)
                            .then(),
                    ElementFile::close)
                .subscribeOn(reader));
  }

  /**
   * A box and its elements.
   *
   * @param elements null for a chunk that is larger than the budget
   */
  private record Part(BoxWalk.Box box, @Nullable NdArray elements) {}

  private Part loaded(FileChannel channel, BoxWalk.Box box, long most) {
    return new Part(box, box.count() <= most ? read(channel, box) : null);
  }

  private static Flux<BoxWalk.Box> boxes(BoxWalk boxes, long from, DoubleConsumer progress) {
    return Flux.generate(
        () -> from,
        (number, sink) -> {
          if (number >= boxes.count()) {
            sink.complete();
          } else {
            progress.accept((double) number / boxes.count());
            sink.next(boxes.box(number));
          }
          return number + 1;
        });
  }

  private Mono<Void> write(
      ZarrArray array, Part part, FileChannel channel, long most, Scheduler reader) {
    BoxWalk.Box box = part.box();
    Selection place =
        shape.rank() == 0 ? Selection.all() : Selection.box(box.from(), box.extents());
    return part.elements() == null
        ? array.write(place, slabs(channel, box, 0, most).subscribeOn(reader))
        : array.write(place, part.elements());
  }

  @Override
  public Flux<NdArray> slabs(int axis, long rows, Scheduler reader) {
    BoxWalk.Box all = new BoxWalk.Box(new long[shape.rank()], shape.toArray());
    long slab = shape.isEmpty() ? 0 : all.count() / shape.extent(axis) * rows;
    return Flux.using(
            () -> FileChannel.open(path),
            channel -> slabs(channel, all, axis, slab),
            ElementFile::close)
        .subscribeOn(reader);
  }

  private Flux<NdArray> slabs(FileChannel channel, BoxWalk.Box box, int axis, long most) {
    long extent = box.extents()[axis];
    long ofOne = Math.max(1, box.count() / Math.max(1, extent));
    long rows = Math.max(1, most / ofOne);
    return Flux.generate(
        () -> 0L,
        (from, sink) -> {
          if (from >= extent) {
            sink.complete();
          } else {
            long[] start = box.from();
            long[] extents = box.extents();
            start[axis] += from;
            extents[axis] = Math.min(rows, extent - from);
            sink.next(read(channel, new BoxWalk.Box(start, extents)));
          }
          return from + rows;
        });
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // it was only read
    }
  }

  /** Reads a box: runs of elements that follow one another in the file. */
  private NdArray read(FileChannel channel, BoxWalk.Box box) {
    int rank = shape.rank();
    long[] all = fastestFirst(shape.toArray());
    long[] from = fastestFirst(box.from());
    long[] extents = fastestFirst(box.extents());
    long run = 1;
    int whole = 0;
    while (whole < rank && (whole == 0 || extents[whole - 1] == all[whole - 1])) {
      run *= extents[whole++];
    }
    byte[] bytes = new byte[Math.toIntExact(box.count() * layout.fileSize())];
    long[] index = new long[rank];
    for (long done = 0; done < box.count(); done += run) {
      long element = 0;
      for (int d = rank - 1; d >= 0; d--) {
        element = element * all[d] + from[d] + index[d];
      }
      fill(channel, bytes, done, run, element);
      for (int d = whole; d < rank && ++index[d] == extents[d]; d++) {
        index[d] = 0;
      }
    }
    Bytes images = Bytes.wrap(layout.images(bytes));
    if (!isFortran) {
      return NdArray.wrap(dataType(), Shape.of(box.extents()), images);
    }
    int[] axes = new int[rank];
    long[] turned = new long[rank];
    for (int d = 0; d < rank; d++) {
      axes[d] = rank - 1 - d;
      turned[d] = extents[rank - 1 - d];
    }
    return NdArray.wrap(dataType(), Shape.of(turned), images).transpose(axes);
  }

  private void fill(FileChannel channel, byte[] bytes, long done, long run, long element) {
    int size = layout.fileSize();
    ByteBuffer buffer = ByteBuffer.wrap(bytes, (int) (done * size), (int) (run * size));
    long position = start + element * size;
    try {
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, position);
        if (read < 0) {
          throw new CommandFailure("the file became shorter while it was read");
        }
        position += read;
      }
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  private long[] fastestFirst(long[] values) {
    long[] ordered = values.clone();
    if (!isFortran) {
      for (int d = 0; d < ordered.length; d++) {
        ordered[d] = values[ordered.length - 1 - d];
      }
    }
    return ordered;
  }
}
