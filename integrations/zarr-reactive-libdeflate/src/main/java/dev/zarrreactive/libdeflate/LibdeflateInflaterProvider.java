package dev.zarrreactive.libdeflate;

import dev.zarrreactive.codec.InflaterProvider;
import dev.zarrreactive.codec.WholeBufferInflater;
import dev.zarrreactive.codec.WholeBufferInflater.Inflated;
import java.util.List;
import java.util.Optional;

/**
 * Inflaters of libdeflate. The library is one of the machine: a package of the system such as
 * {@code libdeflate0}, or a file in a directory that the property {@code jna.library.path} names.
 * On a machine without it the JDK inflates, and the log has one warning.
 *
 * <p>Streams and results of up to 16 MiB are decompressed. Each inflater keeps native memory for
 * the largest of both, and there are no more idle inflaters than processors.
 */
public final class LibdeflateInflaterProvider implements InflaterProvider {
  /** The text "abc" as a stream of DEFLATE. */
  private static final byte[] ABC = {0x4b, 0x4c, 0x4a, 0x06, 0x00};

  private final List<String> names;

  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public LibdeflateInflaterProvider() {
    this(Libdeflate.NAMES);
  }

  LibdeflateInflaterProvider(List<String> names) {
    this.names = names;
  }

  @Override
  public boolean isAvailable() {
    try {
      Libdeflate.link(names);
      tryOut();
      return true;
    } catch (LinkageError | RuntimeException e) {
      System.getLogger(LibdeflateInflaterProvider.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "gzip and zlib are decoded by the JDK, since libdeflate cannot be used: "
                  + e.getMessage());
      return false;
    }
  }

  /** Decompresses a stream, so that a library of another form is seen before data are. */
  private static void tryOut() {
    try (WholeBufferInflater inflater = new LibdeflateInflater()) {
      Optional<Inflated> inflated = inflater.inflate(ABC, 0, ABC.length, new byte[3], 0, 3);
      if (!inflated.equals(Optional.of(new Inflated(ABC.length, 3)))) {
        throw new IllegalStateException("it does not decompress a known stream");
      }
    }
  }

  @Override
  public WholeBufferInflater create() {
    return new LibdeflateInflater();
  }
}
