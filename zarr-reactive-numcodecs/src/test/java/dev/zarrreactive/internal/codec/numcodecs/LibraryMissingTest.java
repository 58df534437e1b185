package dev.zarrreactive.internal.codec.numcodecs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.ClassPath;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.XZInputStream;

/** The libraries of bz2 and lzma are optional: without them everything else works. */
class LibraryMissingTest {
  @Test
  void without_a_library_its_codec_says_what_to_add() throws Exception {
    try (URLClassLoader loader =
        ClassPath.without(BZip2CompressorInputStream.class, XZInputStream.class)) {
      Class<?> user = loader.loadClass(LibraryUser.class.getName());
      assertThat(user).isNotSameAs(LibraryUser.class);
      String report = (String) ((Callable<?>) user.getDeclaredConstructor().newInstance()).call();
      String unsupported = "dev.zarrreactive.error.UnsupportedFeatureException: ";
      for (String does : new String[] {"encodes: ", "decodes: "}) {
        assertThat(report)
            .contains("numcodecs.bz2 " + does + unsupported + "bzip2 needs a library")
            .contains("numcodecs.lzma " + does + unsupported + "LZMA needs a library");
      }
      assertThat(report)
          .contains("numcodecs.zlib encodes: true")
          .contains("add org.apache.commons:commons-compress", "add org.tukaani:xz");
    }
  }
}
