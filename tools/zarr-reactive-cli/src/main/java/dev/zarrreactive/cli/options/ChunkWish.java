package dev.zarrreactive.cli.options;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A wish for the shape of chunks or of shards: extents, of which -1 is a whole dimension, or a size
 * of the decoded elements.
 *
 * @param extents null for a size
 * @param bytes the size; zero for one that is chosen
 */
public record ChunkWish(long @Nullable [] extents, long bytes) {
  /** A dimension of which all is in one chunk. */
  private static final long WHOLE = -1;

  private static final long CHOSEN_CHUNK = 1 << 20;
  private static final long CHOSEN_SHARD = 256 << 20;

  private static final Pattern SIZE =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([kmgt]?)(i?)b", Pattern.CASE_INSENSITIVE);

  /** Returns the shape if it is the same for every array; null for another wish. */
  public @Nullable Shape fixed() {
    return extents == null || Arrays.stream(extents).anyMatch(extent -> extent == WHOLE)
        ? null
        : Shape.of(extents);
  }

  /** Returns true for a wish for arrays with this number of dimensions. */
  public boolean isFor(int rank) {
    return extents == null ? rank > 0 : extents.length == rank;
  }

  /** Returns the number of dimensions of the arrays that the wish is for; empty for all. */
  public Optional<Integer> rank() {
    return extents == null ? Optional.empty() : Optional.of(extents.length);
  }

  /** Returns the shape of the chunks of an array. */
  public Shape chunks(Shape array, DataType type) {
    if (extents != null) {
      long[] shape = extents.clone();
      Arrays.setAll(shape, d -> shape[d] == WHOLE ? Math.max(1, array.extent(d)) : shape[d]);
      return Shape.of(shape);
    }
    long[] shape = array.toArray();
    Arrays.setAll(shape, d -> Math.max(1, shape[d]));
    long most = Math.max(1, (bytes == 0 ? CHOSEN_CHUNK : bytes) / Math.max(1, type.memorySize()));
    while (product(shape) > most) {
      int longest = 0;
      for (int d = 1; d < shape.length; d++) {
        longest = shape[d] > shape[longest] ? d : longest;
      }
      shape[longest] = (shape[longest] + 1) / 2;
    }
    return Shape.of(shape);
  }

  /**
   * Returns the shape of the shards of an array: of whole chunks, as many as fit in each dimension
   * in turn.
   *
   * @throws IllegalArgumentException for extents that are not multiples of the chunks
   */
  public Shape shards(Shape array, Shape chunk, DataType type) {
    if (extents != null) {
      return Shape.of(checked(array, chunk));
    }
    long[] counts = new long[chunk.rank()];
    Arrays.fill(counts, 1);
    long chunkBytes = Math.max(1, product(chunk.toArray()) * Math.max(1, type.memorySize()));
    long most = Math.max(1, (bytes == 0 ? CHOSEN_SHARD : bytes) / chunkBytes);
    while (true) {
      int next = -1;
      double missing = 1;
      for (int d = 0; d < counts.length; d++) {
        double left = (double) array.extent(d) / chunk.extent(d) / counts[d];
        if (left > missing) {
          missing = left;
          next = d;
        }
      }
      if (next < 0 || product(counts) * 2 > most) {
        break;
      }
      long all = chunks(array, chunk, next);
      counts[next] = Math.min(all, counts[next] * 2);
    }
    Arrays.setAll(counts, d -> counts[d] * chunk.extent(d));
    return Shape.of(counts);
  }

  private static long chunks(Shape array, Shape chunk, int d) {
    return Math.max(1, (array.extent(d) + chunk.extent(d) - 1) / chunk.extent(d));
  }

  private long[] checked(Shape array, Shape chunk) {
    long[] shape = extents.clone();
    boolean isFitting = true;
    long[] nearest = new long[shape.length];
    for (int d = 0; d < shape.length; d++) {
      long inner = chunk.extent(d);
      nearest[d] =
          shape[d] == WHOLE
              ? chunks(array, chunk, d) * inner
              : (shape[d] + inner - 1) / inner * inner;
      isFitting &= shape[d] == WHOLE || nearest[d] == shape[d];
    }
    if (!isFitting) {
      throw new IllegalArgumentException(
          "a shard has whole chunks: --shards "
              + words(shape)
              + " are no multiples of the chunks "
              + words(chunk.toArray())
              + "; --shards "
              + words(nearest)
              + " would do, or --shards auto");
    }
    return nearest;
  }

  private static String words(long[] shape) {
    return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  private static long product(long[] shape) {
    long product = 1;
    for (long extent : shape) {
      product = extent > Long.MAX_VALUE / 2 / product ? Long.MAX_VALUE / 2 : product * extent;
    }
    return product;
  }

  /** Reads a shape such as {@code 60,-1}, a size such as {@code 64MB}, or {@code auto}. */
  public static final class Converter implements ITypeConverter<ChunkWish> {
    @Override
    public ChunkWish convert(String text) {
      if (text.strip().toLowerCase(Locale.ROOT).equals("auto")) {
        return new ChunkWish(null, 0);
      }
      Matcher size = SIZE.matcher(text.strip());
      if (size.matches()) {
        long unit = size.group(3).isEmpty() ? 1000 : 1024;
        int power = "kmgt".indexOf(size.group(2).toLowerCase(Locale.ROOT)) + 1;
        power = size.group(2).isEmpty() ? 0 : power;
        BigDecimal bytes =
            new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(unit).pow(power));
        if (bytes.signum() > 0 && bytes.compareTo(BigDecimal.valueOf(1L << 40)) <= 0) {
          return new ChunkWish(null, Math.max(1, bytes.longValue()));
        }
      }
      try {
        long[] shape =
            Arrays.stream(text.split(",", -1))
                .mapToLong(extent -> Long.parseLong(extent.trim()))
                .toArray();
        if (Arrays.stream(shape).allMatch(extent -> extent > 0 || extent == WHOLE)) {
          return new ChunkWish(shape, 0);
        }
      } catch (NumberFormatException e) {
        // reported below
      }
      throw new TypeConversionException(
          "expected a shape such as 100,100 or 100,-1 (a whole dimension), a size such as 64MB, or"
              + " auto; found "
              + text);
    }
  }
}
