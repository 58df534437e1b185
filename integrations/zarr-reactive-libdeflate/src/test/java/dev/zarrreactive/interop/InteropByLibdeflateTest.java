package dev.zarrreactive.interop;

import dev.zarrreactive.libdeflate.NeedsLibdeflate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Arrays of other implementations with gzip or zlib are read with libdeflate, too. */
@NeedsLibdeflate
class InteropByLibdeflateTest extends InteropTest {
  private static final Pattern METADATA = Pattern.compile("(.*/)?(zarr\\.json|\\.zarray)");
  private static final Pattern DEFLATE = Pattern.compile("\"(numcodecs\\.)?(gzip|zlib)\"");

  static List<Fixture> cases() {
    return Fixtures.good().stream()
        .filter(Fixture::isDirectory)
        .filter(InteropByLibdeflateTest::isDeflated)
        .toList();
  }

  private static boolean isDeflated(Fixture fixture) {
    return fixture.keys().stream()
        .filter(key -> METADATA.matcher(key).matches())
        .map(key -> new String(fixture.value(key), StandardCharsets.UTF_8))
        .anyMatch(metadata -> DEFLATE.matcher(metadata).find());
  }
}
