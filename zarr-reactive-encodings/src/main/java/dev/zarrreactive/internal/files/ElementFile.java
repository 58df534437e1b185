package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * A file of elements of one size, in C or Fortran order: a NumPy file or raw binary. Any box of the
 * array can be read by itself.
 *
 * @param path of the file
 * @param start the position of the first element
 * @param layout of an element in the file
 * @param shape of the array
 * @param isFortran whether the first dimension varies fastest
 */
public record ElementFile(
    Path path, long start, ItemLayout layout, Shape shape, boolean isFortran) {
  /**
   * Returns the array of a NumPy file.
   *
   * @param layout that of the header, or another one of the same size
   * @throws UnreadableFileException if the file's size is another one than that of the array
   */
  public static ElementFile npy(Path path, NpyHeader header, ItemLayout layout) throws IOException {
    return checked(
        new ElementFile(path, header.dataStart(), layout, header.shape(), header.isFortran()));
  }

  /**
   * Returns the array of a file without a header, in C order.
   *
   * @throws UnreadableFileException if the file's size is another one than that of the array
   */
  public static ElementFile raw(Path path, ItemLayout layout, Shape shape) throws IOException {
    return checked(new ElementFile(path, 0, layout, shape, false));
  }

  private static ElementFile checked(ElementFile file) throws IOException {
    long size = Files.size(file.path) - file.start;
    BigInteger expected =
        file.shape.elementCount().multiply(BigInteger.valueOf(file.layout.fileSize()));
    if (!expected.equals(BigInteger.valueOf(size))) {
      throw new UnreadableFileException(
          "the file has "
              + size
              + " bytes of elements, and "
              + file.dataType()
              + " "
              + file.shape
              + " has "
              + expected);
    }
    return file;
  }

  /** The type of the elements. */
  public DataType dataType() {
    return layout.dataType();
  }

  /** Opens the file for {@link #read}. */
  public FileChannel open() throws IOException {
    return FileChannel.open(path);
  }

  /** Closes what {@link #open} has opened. */
  public static void close(FileChannel channel) {
    RowFile.close(channel);
  }

  /**
   * Reads the array in slabs along an axis, each when it is demanded. Each has {@code rows} indices
   * of the axis; the last one may have fewer. An error is an {@link UnreadableFileException}.
   *
   * @param reader the thread for reading the file, which may block
   */
  public Flux<NdArray> slabs(int axis, long rows, Scheduler reader) {
    return Flux.using(
            this::open,
            channel -> slabs(channel, new long[shape.rank()], shape.toArray(), axis, rows),
            ElementFile::close)
        .subscribeOn(reader);
  }

  /**
   * Reads a box of an open file in slabs along an axis, on the thread that demands them.
   *
   * @param from the index of the first element of the box
   * @param extents of the box
   */
  public Flux<NdArray> slabs(
      FileChannel channel, long[] from, long[] extents, int axis, long rows) {
    return Flux.generate(
        () -> 0L,
        (next, sink) -> {
          if (next >= extents[axis]) {
            sink.complete();
          } else {
            long[] slabFrom = from.clone();
            long[] slabExtents = extents.clone();
            slabFrom[axis] += next;
            slabExtents[axis] = Math.min(rows, extents[axis] - next);
            sink.next(read(channel, slabFrom, slabExtents));
          }
          return next + rows;
        });
  }

  /**
   * Reads a box of an open file. The call blocks.
   *
   * @param from the index of the first element of the box
   * @param extents of the box, which has fewer than 2^31 bytes
   * @throws UnreadableFileException if the file is shorter now, or cannot be read
   */
  public NdArray read(FileChannel channel, long[] from, long[] extents) {
    int rank = shape.rank();
    long[] all = fastestFirst(shape.toArray());
    long[] start = fastestFirst(from);
    long[] size = fastestFirst(extents);
    long count = count(extents);
    long run = 1; // elements that follow one another in the file
    int whole = 0;
    while (whole < rank && (whole == 0 || size[whole - 1] == all[whole - 1])) {
      run *= size[whole++];
    }
    byte[] bytes = new byte[Math.toIntExact(count * layout.fileSize())];
    long[] index = new long[rank];
    for (long done = 0; done < count; done += run) {
      long element = 0;
      for (int d = rank - 1; d >= 0; d--) {
        element = element * all[d] + start[d] + index[d];
      }
      fill(channel, bytes, done, run, element);
      for (int d = whole; d < rank && ++index[d] == size[d]; d++) {
        index[d] = 0;
      }
    }
    Bytes images = Bytes.wrap(layout.images(bytes));
    if (!isFortran) {
      return NdArray.wrap(dataType(), Shape.of(extents), images);
    }
    int[] axes = new int[rank];
    long[] turned = new long[rank];
    for (int d = 0; d < rank; d++) {
      axes[d] = rank - 1 - d;
      turned[d] = size[rank - 1 - d];
    }
    return NdArray.wrap(dataType(), Shape.of(turned), images).transpose(axes);
  }

  private static long count(long[] extents) {
    long count = 1;
    for (long extent : extents) {
      count *= extent;
    }
    return count;
  }

  private void fill(FileChannel channel, byte[] bytes, long done, long run, long element) {
    int size = layout.fileSize();
    ByteBuffer buffer = ByteBuffer.wrap(bytes, (int) (done * size), (int) (run * size));
    long position = start + element * size;
    try {
      while (buffer.hasRemaining()) {
        int read = channel.read(buffer, position);
        if (read < 0) {
          throw new UnreadableFileException("the file became shorter while it was read");
        }
        position += read;
      }
    } catch (IOException e) {
      throw new UnreadableFileException("cannot read " + path + ": " + e.getMessage(), e);
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
