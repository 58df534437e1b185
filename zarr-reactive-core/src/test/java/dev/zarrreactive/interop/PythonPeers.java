package dev.zarrreactive.interop;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.testing.Python;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Implementations of Zarr in Python, where some are installed. */
final class PythonPeers {
  /** Where none is installed. */
  static final PythonPeers NOBODY = new PythonPeers();

  private final Map<String, String> versions = new TreeMap<>();
  private final Map<String, Map<String, JsonObject>> results = new TreeMap<>();

  private PythonPeers() {}

  /** Reads what the manifest names with all that is installed; nobody where nothing is. */
  static PythonPeers read(Path manifest) {
    Optional<Python> python = Python.find("numpy");
    if (python.isEmpty()) {
      return NOBODY;
    }
    PythonPeers peers = new PythonPeers();
    python
        .get()
        .run(Python.script(PythonPeers.class, "/interop/read_by_others.py"), manifest)
        .lines()
        .forEach(line -> peers.take(JsonDocument.parse(utf8(line), Location.UNKNOWN).object()));
    return peers;
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
