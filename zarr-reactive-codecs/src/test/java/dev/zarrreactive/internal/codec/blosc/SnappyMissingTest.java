package dev.zarrreactive.internal.codec.blosc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.testing.ClassPath;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

/** snappy-java is optional: without it everything else works. */
class SnappyMissingTest {
  @Test
  void without_snappy_java_only_snappy_fails_and_says_what_to_add() throws Exception {
    try (URLClassLoader loader = ClassPath.without(Snappy.class)) {
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
