package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.SizeBound;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames that the reference implementation wrote, for zarr-python, zarr-java, zarrita.js and by
 * itself. A name says: bytes, compressor, shuffle, how it is divided, typesize. The bytes are
 * beside the frame, or made by {@link Samples}.
 */
class FramesOfOthersTest {

  static List<Path> frames() throws IOException, URISyntaxException {
    Path directory = Path.of(FramesOfOthersTest.class.getResource("frames").toURI());
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".blosc")).sorted().toList();
    }
  }

  private static byte[] expected(Path frame) throws IOException {
    String name = frame.getFileName().toString();
    String[] parts = name.split("-");
    return switch (parts[0]) {
      case "ramp" -> Samples.ramp(Integer.parseInt(parts[1]));
      case "steps" -> Samples.steps(Integer.parseInt(parts[1]));
      default -> Files.readAllBytes(frame.resolveSibling(name.replace(".blosc", ".bin")));
    };
  }

  @ParameterizedTest
  @MethodSource("frames")
  void a_frame_decodes_to_what_was_put_into_it(Path frame) throws IOException {
    byte[] expected = expected(frame);
    Bytes encoded = Bytes.wrap(Files.readAllBytes(frame));
    assertThat(Samples.decode(encoded, expected.length)).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("frames")
  void a_part_of_a_frame_is_that_part_of_its_bytes(Path frame) throws IOException {
    byte[] expected = expected(frame);
    Bytes encoded = Bytes.wrap(Files.readAllBytes(frame));
    SizeBound size = SizeBound.exactly(expected.length);
    int step = Math.max(1, expected.length / 7);
    for (int from = 0; from <= expected.length; from += step) {
      for (int to = from; to <= expected.length; to += step) {
        assertThat(FrameDecoder.decodeRange(encoded, size, from, to - from).toByteArray())
            .as("bytes %d to %d", from, to)
            .isEqualTo(Arrays.copyOfRange(expected, from, to));
      }
    }
  }

  @Test
  void the_frames_cover_every_format_with_every_shuffle() throws Exception {
    Set<String> seen = new TreeSet<>();
    for (Path frame : frames()) {
      BloscHeader header = BloscHeader.parse(Bytes.wrap(Files.readAllBytes(frame)));
      if (!header.stored()) {
        seen.add(header.compressor().format() + " " + header.shuffle());
      }
    }
    assertThat(seen).hasSize(5 * 3);
  }
}
