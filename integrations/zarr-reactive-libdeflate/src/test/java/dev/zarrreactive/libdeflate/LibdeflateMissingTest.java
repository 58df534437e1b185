package dev.zarrreactive.libdeflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a part of this module is missing, the JDK inflates. */
class LibdeflateMissingTest {
  private static final List<String> MISSING = List.of("no-such-library", "no-other-library");

  @Test
  void a_missing_library_leaves_the_inflaters_unavailable() {
    assertThat(new LibdeflateInflaterProvider(MISSING).isAvailable()).isFalse();
    assertThatExceptionOfType(UnsatisfiedLinkError.class)
        .isThrownBy(() -> Libdeflate.link(MISSING))
        .withMessage("no native library has one of the names [no-such-library, no-other-library]");
  }

  @Test
  void a_library_with_other_functions_leaves_the_inflaters_unavailable() {
    assertThat(new LibdeflateInflaterProvider(List.of("m", "msvcrt")).isAvailable()).isFalse();
  }

  @Test
  void chunks_are_decoded_without_the_module_and_without_jna() throws Exception {
    byte[] data = Deflated.data(5000, 1);
    BytesToBytesCodec gzip =
        (BytesToBytesCodec)
            CodecRegistry.standard()
                .create(NamedConfiguration.of("gzip", JsonObject.EMPTY.with("level", 5)));
    byte[] encoded = gzip.encode(Bytes.wrap(data)).toByteArray();
    try (LibraryOnPath withoutModule = LibraryOnPath.withoutModule();
        LibraryOnPath withoutJna = LibraryOnPath.withoutJna()) {
      assertThat(withoutModule.has(LibdeflateInflaterProvider.class.getName())).isFalse();
      assertThat(withoutJna.has(LibdeflateInflaterProvider.class.getName())).isTrue();
      assertThat(withoutJna.has("com.sun.jna.Native")).isFalse();
      for (LibraryOnPath path : List.of(withoutModule, withoutJna)) {
        assertThat(path.decoding().apply("5000 " + gzip.configuration(), encoded))
            .isEqualTo("5000 bytes: " + Arrays.hashCode(data));
      }
    }
  }
}
