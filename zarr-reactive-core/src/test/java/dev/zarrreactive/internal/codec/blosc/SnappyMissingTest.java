package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/** snappy-java is optional: without it everything else works. */
class SnappyMissingTest {

  private static URL classPathOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Test
  void without_snappy_java_only_snappy_fails_and_says_what_to_add() throws Exception {
    URL[] classPath = {
      classPathOf(BloscProvider.class),
      classPathOf(SnappyUser.class),
      classPathOf(Zstd.class),
      classPathOf(LZ4Factory.class)
    };
    try (URLClassLoader loader =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      Class<?> user = loader.loadClass(SnappyUser.class.getName());
      assertThat(user).isNotSameAs(SnappyUser.class);
      String report = (String) ((Callable<?>) user.getDeclaredConstructor().newInstance()).call();
      assertThat(report)
          .contains("blosclz: 5000", "lz4: 5000", "lz4hc: 5000", "zlib: 5000", "zstd: 5000")
          .contains("snappy: dev.zarrreactive.error.UnsupportedFeatureException")
          .contains("add org.xerial.snappy:snappy-java");
    }
  }
}
