package dev.zarrreactive.interop;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Implementations of Zarr in Python, where some are installed. */
final class PythonPeers {
  /** Names the Python to use: a system property, or an environment variable. */
  static final String INTERPRETER = "ZARR_PYTHON";

  /** Where none is installed. */
  static final PythonPeers NOBODY = new PythonPeers();

  private static final int SECONDS = 300;

  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, Map<String, JsonObject>> results = new TreeMap<>();
  private int exit;

  private PythonPeers() {}

  /** Reads what the manifest names with all that is installed; nobody where nothing is. */
  static PythonPeers read(Path manifest) {
    for (String python : interpreters()) {
      PythonPeers peers = new PythonPeers();
      peers.run(python, manifest);
      if (!peers.versions.isEmpty()) {
        return peers;
      }
    }
    return NOBODY;
  }

  private static List<String> interpreters() {
    String chosen = System.getProperty(INTERPRETER, System.getenv(INTERPRETER));
    return chosen == null || chosen.isEmpty() ? List.of("python3", "python") : List.of(chosen);
  }

  private void run(String python, Path manifest) {
    Path directory = manifest.getParent();
    Path script = directory.resolve("read_by_others.py");
    Path out = directory.resolve("out.jsonl");
    Path errors = directory.resolve("errors.txt");
    try (InputStream in = PythonPeers.class.getResourceAsStream("/interop/read_by_others.py")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
      ProcessBuilder builder = new ProcessBuilder(python, script.toString(), manifest.toString());
      builder.environment().put("PYTHONIOENCODING", "utf-8");
      builder.redirectOutput(out.toFile()).redirectError(errors.toFile());
      if (!runs(builder)) {
        return;
      }
      for (String line : Files.readAllLines(out)) {
        take(JsonDocument.parse(utf8(line), Location.UNKNOWN).object());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!versions.isEmpty()) {
      checkRunToTheEnd(errors);
    }
  }

  /** False where there is no such interpreter, or it does not work. */
  private boolean runs(ProcessBuilder builder) {
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return false;
    }
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not ready after " + SECONDS + " s: " + builder.command());
      }
      exit = process.exitValue();
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      process.destroyForcibly();
    }
  }

  private void checkRunToTheEnd(Path errors) {
    if (exit != 0) {
      try {
        throw new AssertionError("the script failed: " + Files.readString(errors));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void take(JsonObject line) {
    String reader = Fixture.textOf(line.get("reader"));
    if (line.get("version") != null) {
      versions.put(reader, Fixture.textOf(line.get("version")));
    } else {
      results
          .computeIfAbsent(Fixture.textOf(line.get("name")), name -> new TreeMap<>())
          .put(reader, line);
    }
  }

  /** The readers that are installed, with their versions. */
  Map<String, String> versions() {
    return versions;
  }

  /** What each reader says of a case. */
  Map<String, JsonObject> results(String name) {
    return results.getOrDefault(name, Map.of());
  }
}
