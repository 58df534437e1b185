package dev.zarrreactive.internal.codec.numcodecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/** The libraries of bz2 and lzma are optional: without them everything else works. */
class LibraryMissingTest {

  private static URL classPathOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  void without_a_library_its_codec_says_what_to_add() throws Exception {
    URL[] classPath = {
      classPathOf(NumcodecsProvider.class),
      classPathOf(LibraryUser.class),
      classPathOf(LZ4Factory.class)
    };
    try (URLClassLoader loader =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
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
