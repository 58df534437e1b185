package dev.zarrreactive.libdeflate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users see the same bytes and the same errors with and without this module. */
@NeedsLibdeflate
class SameVerdictTest {
  private static final int TRIALS = 6000;

  private final Random random = new Random(74);

  private static BytesToBytesCodec codec(String name) {
    JsonObject configuration = JsonObject.EMPTY;
    if (name.equals("blosc")) {
      configuration =
          configuration
              .with("cname", "zlib")
              .with("clevel", 5)
              .with("shuffle", "shuffle")
              .with("typesize", 2)
              .with("blocksize", 0);
    } else {
      configuration = configuration.with("level", 5);
    }
    return (BytesToBytesCodec)
        CodecRegistry.standard().create(NamedConfiguration.of(name, configuration));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "numcodecs.zlib", "blosc"})
  void bytes_and_errors_are_those_of_the_jdk(String name) throws Exception {
    BytesToBytesCodec codec = codec(name);
    String json = codec.configuration().toString();
    Set<String> verdicts = new TreeSet<>();
    try (LibraryOnPath with = LibraryOnPath.whole();
        LibraryOnPath without = LibraryOnPath.withoutModule()) {
      assertThat(without.has(LibdeflateInflaterProvider.class.getName())).isFalse();
      BiFunction<String, byte[], String> byLibdeflate = with.decoding();
      BiFunction<String, byte[], String> byJdk = without.decoding();
      for (int i = 0; i < TRIALS; i++) {
        int size = random.nextInt(8) == 0 ? random.nextInt(100_000) : random.nextInt(2000);
        byte[] encoded = hostile(codec, Deflated.data(size, i));
        int expected = Math.max(0, size + (i % 5 == 0 ? random.nextInt(5) - 2 : 0));
        String call = expected + " " + json;
        String verdict = byJdk.apply(call, encoded);
        assertThat(byLibdeflate.apply(call, encoded)).isEqualTo(verdict);
        verdicts.add(verdict.replaceAll("[0-9a-f]*[0-9][0-9a-f]*", "N"));
      }
    }
    assertThat(verdicts).hasSizeGreaterThan(4).contains("N bytes: N");
  }

  /** Encoded data, half of them changed. */
  private byte[] hostile(BytesToBytesCodec codec, byte[] data) {
    byte[] encoded = codec.encode(Bytes.wrap(data)).toByteArray();
    switch (random.nextInt(12)) {
      case 0 -> {
        return Arrays.copyOf(encoded, random.nextInt(encoded.length));
      }
      case 1 -> {
        byte[] behind = new byte[1 + random.nextInt(20)];
        random.nextBytes(behind);
        return Deflated.joined(encoded, behind);
      }
      case 2 -> {
        int half = data.length / 2;
        return Deflated.joined(
            codec.encode(Bytes.wrap(data, 0, half)).toByteArray(),
            codec.encode(Bytes.wrap(data, half, data.length - half)).toByteArray());
      }
      case 3, 4 -> {
        for (int n = random.nextInt(3); n >= 0; n--) {
          encoded[random.nextInt(encoded.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return encoded;
      }
      case 5 -> {
        encoded[encoded.length - 1 - random.nextInt(8)] ^= 1;
        return encoded;
      }
      case 6 -> {
        int from = random.nextInt(encoded.length);
        for (int i = from; i < Math.min(encoded.length, from + 30); i++) {
          encoded[i] = (byte) random.nextInt();
        }
        return encoded;
      }
      default -> {
        return encoded;
      }
    }
  }
}
