package dev.zarrreactive.icechunk;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Python with icechunk: {@code -DICECHUNK_PYTHON=/path/to/python}, the environment variable of
 * this name, or one on the path.
 */
public final class PythonInterpreter {
  private static final String NAME = "ICECHUNK_PYTHON";
  private static final int SECONDS = 120;

  private PythonInterpreter() {}

  /** Returns the command of it; null where there is none. */
  public static @Nullable String find() {
    String chosen = System.getProperty(NAME, System.getenv(NAME));
    List<String> names =
        chosen == null || chosen.isEmpty()
            ? List.of("python3", "python3.13", "python3.12", "python")
            : List.of(chosen);
    return names.stream().filter(PythonInterpreter::hasIcechunk).findFirst().orElse(null);
  }

  private static boolean hasIcechunk(String python) {
    try {
      Process process =
          new ProcessBuilder(
                  python,
                  "-c",
                  "import icechunk, zarr, numpy; assert icechunk.__version__ >= '2.3'")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
