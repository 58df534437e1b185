package dev.zarrreactive.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** What is read is read without Micrometer, too: on a class path that does not have it. */
class WithoutMicrometerTest {
  @Test
  void arrays_are_written_and_read_without_it() throws Exception {
    URL[] classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .filter(entry -> !entry.getFileName().toString().startsWith("micrometer-"))
            .map(WithoutMicrometerTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader without =
        new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
      assertThatThrownBy(() -> without.loadClass(MeterRegistry.class.getName()))
          .isInstanceOf(ClassNotFoundException.class);
      Object read = without.loadClass(PlainRead.class.getName()).getConstructor().newInstance();
      assertThat(read.getClass().getClassLoader()).isSameAs(without);
      assertThat(((Callable<?>) read).call()).isEqualTo("int32 [3]\n[4 5 6] int32 [3]\n[4 5 6] 2");
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }
}
