package dev.zarrreactive.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Python;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A chunk that another program has encoded.
 *
 * @param name the codec
 * @param configuration its configuration
 * @param representation the chunk's shape and type
 * @param original the chunk before it was encoded
 * @param decoded the chunk as the program decodes it
 * @param encoded the encoded bytes
 */
public record EncodedByOthers(
    String name,
    String configuration,
    ChunkRepresentation representation,
    Bytes original,
    Bytes decoded,
    Bytes encoded) {
  /** What a decoder may allocate beside its result, for each byte of it and of its input. */
  private static final int MOST_FACTOR = 16;

  private static final int MOST_SCRATCH = 8 << 20;

  /** Reads a file of vectors that lies beside a test. */
  public static List<EncodedByOthers> of(Class<?> test, String resource) {
    try (InputStream in = Objects.requireNonNull(test.getResourceAsStream(resource))) {
      return new String(in.readAllBytes(), UTF_8).lines().map(EncodedByOthers::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EncodedByOthers parse(String line) {
    String[] part = line.split("\t", -1);
    DataType type = DataTypes.parse(NamedConfiguration.of(part[2]));
    long[] extents =
        part[3].isEmpty()
            ? new long[0]
            : Stream.of(part[3].split(",")).mapToLong(Long::parseLong).toArray();
    return new EncodedByOthers(
        part[0],
        part[1],
        new ChunkRepresentation(Shape.of(extents), type, FillValue.zero(type)),
        base64(part[4]),
        base64(part[5]),
        base64(part[6]));
  }

  private static Bytes base64(String text) {
    return Bytes.wrap(Base64.getDecoder().decode(text));
  }

  /**
   * Runs a script that prints vectors, where a Python has its packages; elsewhere the test is
   * skipped.
   */
  public static void fromPython(
      Class<?> test,
      String script,
      String imports,
      List<String> arguments,
      Consumer<EncodedByOthers> action) {
    Python.with(imports)
        .run(Python.script(test, script), arguments.toArray())
        .lines()
        .map(EncodedByOthers::parse)
        .forEach(action);
  }

  /**
   * Lets a script decode what the codec encodes of each chunk: base64 of it on each line of its
   * input, and of the elements on each line of its output.
   */
  public static void readByPython(
      Class<?> test, String script, String imports, List<EncodedByOthers> vectors) {
    Base64.Encoder base64 = Base64.getEncoder();
    List<String> encoded = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (EncodedByOthers vector : vectors) {
      Bytes bytes = vector.codec().encode(vector.chunk(), vector.representation());
      encoded.add(base64.encodeToString(bytes.toByteArray()));
      expected.add(base64.encodeToString(vector.original().toByteArray()));
    }
    String decoded = Python.with(imports).runWith(encoded, Python.script(test, script));
    assertThat(decoded.lines().toList()).isEqualTo(expected);
  }

  /** Creates the codec. */
  public ArrayToBytesCodec codec() {
    return (ArrayToBytesCodec)
        CodecRegistry.standard().create(Json.extension(name, configuration.replace('"', '\'')));
  }

  /** The chunk before it was encoded. */
  public NdArray chunk() {
    return NdArray.wrap(representation.dataType(), representation.shape(), original);
  }

  /** Checks that the encoded bytes decode bit for bit to what the program decodes. */
  public void assertDecodedBitForBit() {
    NdArray ours = codec().decode(encoded, representation);
    if (!ours.bytes().equals(decoded)) {
      byte[] expected = decoded.toByteArray();
      int at = Arrays.mismatch(ours.bytes().toByteArray(), expected);
      throw new AssertionError(
          "byte "
              + at
              + " of "
              + expected.length
              + " differs in "
              + name
              + " "
              + configuration
              + " of "
              + representation);
    }
  }

  /** Checks that the codec encodes the chunk to the same bytes as the program. */
  public void assertEncodedToTheSame() {
    assertThat(codec().encode(chunk(), representation))
        .as("%s %s of %s", name, configuration, representation)
        .isEqualTo(encoded);
  }

  /**
   * Decodes damaged copies of the encoded bytes. Each gives a chunk or the error of a codec, and
   * takes memory in proportion.
   *
   * @return how many gave an error
   */
  public int decodeMutants(int count, Random random) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    ArrayToBytesCodec codec = codec();
    int errors = 0;
    for (int i = 0; i < count; i++) {
      Bytes mutant = mutant(random);
      long most = MOST_SCRATCH + MOST_FACTOR * (representation.byteSize() + mutant.size());
      long before = threads.getThreadAllocatedBytes(thread);
      boolean isRefused = isRefused(codec, mutant);
      if (threads.getThreadAllocatedBytes(thread) - before > most) {
        // the first time, classes were loaded
        before = threads.getThreadAllocatedBytes(thread);
        isRefused = isRefused(codec, mutant);
        assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(most);
      }
      errors += isRefused ? 1 : 0;
    }
    return errors;
  }

  private boolean isRefused(ArrayToBytesCodec codec, Bytes mutant) {
    try {
      NdArray chunk = codec.decode(mutant, representation);
      assertThat(chunk.shape()).isEqualTo(representation.shape());
      return false;
    } catch (CodecException e) {
      assertThat(e.statement()).isNotBlank();
      return true;
    } catch (RuntimeException e) {
      throw new AssertionError(
          "only a CodecException may be thrown for "
              + Base64.getEncoder().encodeToString(mutant.toByteArray())
              + " as "
              + name
              + " "
              + configuration
              + " of "
              + representation,
          e);
    }
  }

  private Bytes mutant(Random random) {
    byte[] bytes = encoded.toByteArray();
    switch (random.nextInt(5)) {
      case 0 -> bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> {
        // the first bytes tell the most
        for (int n = random.nextInt(3); n >= 0; n--) {
          bytes[random.nextInt(Math.min(bytes.length, 40))] = (byte) random.nextInt(256);
        }
      }
      case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 3 -> {
        int from = random.nextInt(bytes.length);
        Arrays.fill(
            bytes, from, Math.min(bytes.length, from + 8), (byte) (random.nextBoolean() ? -1 : 0));
      }
      default -> {
        for (int n = random.nextInt(8); n >= 0; n--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
      }
    }
    return Bytes.wrap(bytes);
  }
}
