package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.codec.compression.StreamDecoder;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.ARMOptions;
import org.tukaani.xz.ARMThumbOptions;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.FilterOptions;
import org.tukaani.xz.FinishableOutputStream;
import org.tukaani.xz.FinishableWrapperOutputStream;
import org.tukaani.xz.IA64Options;
import org.tukaani.xz.LZMA2InputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.PowerPCOptions;
import org.tukaani.xz.SPARCOptions;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.X86Options;
import org.tukaani.xz.XZInputStream;
import org.tukaani.xz.XZOutputStream;

/** The calls to org.tukaani:xz, in one class, because the library is optional. */
final class LzmaLibrary {
  /** The memory in KiB that decodes the largest preset behind three filters. */
  private static final int MEMORY_OF_PRESETS = 66 << 10;

  private static final int ALONE_HEADER_SIZE = 13;
  private static final long UNKNOWN_SIZE = -1;

  private LzmaLibrary() {}

  static Bytes xz(Bytes bytes, List<LzmaFilter> filters, int check) throws IOException {
    FilterOptions[] options = new FilterOptions[filters.size()];
    for (int i = 0; i < options.length; i++) {
      options[i] = options(filters.get(i), bytes.size());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    return written(bytes, out, new XZOutputStream(out, options, check, ArrayCache.getDummyCache()));
  }

  static Bytes alone(Bytes bytes, LzmaFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LZMA2Options options = lzma(filter, bytes.size());
    return written(bytes, out, new LZMAOutputStream(out, options, UNKNOWN_SIZE));
  }

  static Bytes raw(Bytes bytes, List<LzmaFilter> filters) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FinishableOutputStream chain = new FinishableWrapperOutputStream(out);
    for (int i = filters.size() - 1; i >= 0; i--) {
      LzmaFilter filter = filters.get(i);
      chain =
          filter.id() == LzmaFilter.LZMA1
              ? new LZMAOutputStream(chain, lzma(filter, bytes.size()), true)
              : options(filter, bytes.size()).getOutputStream(chain, ArrayCache.getDummyCache());
    }
    return written(bytes, out, chain);
  }

  private static Bytes written(Bytes bytes, ByteArrayOutputStream out, OutputStream compressor)
      throws IOException {
    try (compressor) {
      compressor.write(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size());
    }
    return Bytes.wrap(out.toByteArray());
  }

  private static FilterOptions options(LzmaFilter filter, int size) throws IOException {
    return filter.compresses() ? lzma(filter, size) : simple(filter.id(), filter.distance());
  }

  /** Returns options whose dictionary is no larger than the data: its reader allocates it, too. */
  private static LZMA2Options lzma(LzmaFilter filter, int size) throws IOException {
    LZMA2Options options = new LZMA2Options(filter.preset());
    int dictionary = filter.dictionary().orElse(options.getDictSize());
    options.setDictSize(Math.min(dictionary, Math.max(LZMA2Options.DICT_SIZE_MIN, size)));
    options.setLcLp(filter.lc().orElse(options.getLc()), filter.lp().orElse(options.getLp()));
    options.setPb(filter.pb().orElse(options.getPb()));
    return options;
  }

  private static FilterOptions simple(long id, int distance) throws IOException {
    return switch ((int) id) {
      case (int) LzmaFilter.DELTA -> new DeltaOptions(distance);
      case (int) LzmaFilter.X86 -> new X86Options();
      case (int) LzmaFilter.POWERPC -> new PowerPCOptions();
      case (int) LzmaFilter.IA64 -> new IA64Options();
      case (int) LzmaFilter.ARM -> new ARMOptions();
      case (int) LzmaFilter.ARM_THUMB -> new ARMThumbOptions();
      case (int) LzmaFilter.SPARC -> new SPARCOptions();
      default -> throw new IOException("unknown filter " + id);
    };
  }

  /**
   * Returns a decoder of .xz streams, one behind another.
   *
   * @param most the most bytes that may come out
   */
  static StreamDecoder.Source xz(InputStream in, long most) {
    StreamDecoder.Source source =
        lazy(() -> new XZInputStream(in, memoryLimit(most), true, BasicArrayCache.getInstance()));
    return new StreamDecoder.Source() {
      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        try {
          return source.read(to, offset, length);
        } catch (MemoryLimitException e) {
          throw new CodecException(
              "needs "
                  + e.getMemoryNeeded()
                  + " KiB of memory to be decompressed, at most "
                  + e.getMemoryLimit()
                  + " KiB are allowed: write it with a smaller dictionary",
              Location.UNKNOWN,
              e);
        } catch (UnsupportedOptionsException e) {
          throw new UnsupportedFeatureException("xz: " + e.getMessage(), Location.UNKNOWN, e);
        }
      }

      @Override
      public void close() throws IOException {
        source.close(); // its memory goes back to the cache, after an error, too
      }
    };
  }

  /** Returns the KiB of memory that a stream may ask for: its header could name gigabytes. */
  private static int memoryLimit(long most) {
    return (int) Math.min(Integer.MAX_VALUE, MEMORY_OF_PRESETS + 2 * most / 1024);
  }

  /** Returns a decoder of a chain of filters without a container. */
  static StreamDecoder.Source raw(InputStream in, List<LzmaFilter> filters, long most) {
    return lazy(
        () -> {
          LzmaFilter last = filters.get(filters.size() - 1);
          LZMA2Options options = lzma(last, Integer.MAX_VALUE);
          int dictionary = dictionary(options.getDictSize(), most);
          InputStream stream =
              last.id() == LzmaFilter.LZMA2
                  ? new LZMA2InputStream(in, dictionary)
                  : lzma1(in, UNKNOWN_SIZE, properties(options), dictionary);
          for (int i = filters.size() - 2; i >= 0; i--) {
            LzmaFilter filter = filters.get(i);
            stream =
                simple(filter.id(), filter.distance())
                    .getInputStream(stream, ArrayCache.getDummyCache());
          }
          return stream;
        });
  }

  private static byte properties(LZMA2Options options) {
    return (byte) ((options.getPb() * 5 + options.getLp()) * 9 + options.getLc());
  }

  /** Returns a decoder of a {@code .lzma} file. */
  static StreamDecoder.Source alone(InputStream in, long most) {
    return lazy(
        () -> {
          Bytes header = Bytes.wrap(in.readNBytes(ALONE_HEADER_SIZE));
          if (header.size() < ALONE_HEADER_SIZE) {
            throw new EOFException();
          }
          long dictionary = header.getInt(1) & 0xffff_ffffL;
          return lzma1(in, header.getLong(5), header.get(0), dictionary(dictionary, most));
        });
  }

  private static InputStream lzma1(InputStream in, long size, byte properties, int dictionary)
      throws IOException {
    LZMAInputStream stream = new LZMAInputStream(in, size, properties, dictionary);
    stream.enableRelaxedEndCondition(); // an end marker may follow a known size
    return stream;
  }

  /** Returns the declared size, or a smaller one that holds all that may come out. */
  private static int dictionary(long declared, long most) {
    long useful = Math.max(LZMA2InputStream.DICT_SIZE_MIN, most);
    return (int) Math.min(Math.min(declared, useful), LZMA2InputStream.DICT_SIZE_MAX);
  }

  @FunctionalInterface
  private interface Opening {
    InputStream open() throws IOException;
  }

  /** Opens a stream at the first read, because its constructor reads the header. */
  private static StreamDecoder.Source lazy(Opening opening) {
    return new StreamDecoder.Source() {
      private @Nullable InputStream stream;

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        if (stream == null) {
          stream = opening.open();
        }
        return stream.read(to, offset, length);
      }

      @Override
      public void close() throws IOException {
        if (stream != null) {
          stream.close();
        }
      }
    };
  }
}
