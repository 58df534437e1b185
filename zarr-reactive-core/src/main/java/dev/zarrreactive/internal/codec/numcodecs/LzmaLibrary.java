package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.store.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.ARMOptions;
import org.tukaani.xz.ARMThumbOptions;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.FilterOptions;
import org.tukaani.xz.FinishableOutputStream;
import org.tukaani.xz.FinishableWrapperOutputStream;
import org.tukaani.xz.IA64Options;
import org.tukaani.xz.LZMA2InputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.PowerPCOptions;
import org.tukaani.xz.SPARCOptions;
import org.tukaani.xz.X86Options;
import org.tukaani.xz.XZOutputStream;

/** The only class that needs org.tukaani:xz to load. */
final class LzmaLibrary {
  /**
   * The largest dictionary that the library takes; a constant, so that it can be read without it.
   */
  static final int LARGEST_DICTIONARY = Integer.MAX_VALUE & ~15;

  private static final int ALONE_PROPERTIES_SIZE = 5;
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

  /** The dictionary is no larger than the data: whoever reads it would need the memory, too. */
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

  /** What LZMA2 makes of {@code in}, which is left behind its end marker. */
  static InputStream lzma2(LzmaInput in, long dictionary) {
    return new LZMA2InputStream(in, in.dictionary(dictionary));
  }

  /** Undoes a filter that compresses nothing. */
  static InputStream undo(long id, int distance, InputStream in) throws IOException {
    return simple(id, distance).getInputStream(in, ArrayCache.getDummyCache());
  }

  /** What a chain of filters makes of {@code in}. */
  static Draining.Source raw(LzmaInput in, List<LzmaFilter> filters) {
    return lazy(
        () -> {
          LzmaFilter last = filters.get(filters.size() - 1);
          LZMA2Options options = lzma(last, Integer.MAX_VALUE);
          InputStream stream =
              last.id() == LzmaFilter.LZMA2
                  ? lzma2(in, options.getDictSize())
                  : lzma1(in, UNKNOWN_SIZE, properties(options), options.getDictSize());
          for (int i = filters.size() - 2; i >= 0; i--) {
            stream = undo(filters.get(i).id(), filters.get(i).distance(), stream);
          }
          return stream;
        });
  }

  private static byte properties(LZMA2Options options) {
    return (byte) ((options.getPb() * 5 + options.getLp()) * 9 + options.getLc());
  }

  /** What a {@code .lzma} file holds. */
  static Draining.Source alone(LzmaInput in) {
    return lazy(
        () -> {
          Bytes properties = in.next(ALONE_PROPERTIES_SIZE);
          long dictionary = properties.getInt(1) & 0xffff_ffffL;
          return lzma1(in, in.next(Long.BYTES).getLong(0), properties.get(0), dictionary);
        });
  }

  private static InputStream lzma1(LzmaInput in, long size, byte properties, long dictionary)
      throws IOException {
    LZMAInputStream stream = new LZMAInputStream(in, size, properties, in.dictionary(dictionary));
    stream.enableRelaxedEndCondition(); // an end marker may follow a known size
    return stream;
  }

  @FunctionalInterface
  private interface Opening {
    InputStream open() throws IOException;
  }

  /** Opens a stream, which reads already, when it is first read from. */
  private static Draining.Source lazy(Opening opening) {
    return new Draining.Source() {
      private @Nullable InputStream stream;

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        if (stream == null) {
          stream = opening.open();
        }
        return stream.read(to, offset, length);
      }
    };
  }
}
