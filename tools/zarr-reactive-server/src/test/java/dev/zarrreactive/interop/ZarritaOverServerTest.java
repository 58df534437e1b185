package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.InstalledServer;
import dev.zarrreactive.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * zarrita reads from the server each array that it reads from disk. Needs Node.js 20 or later on
 * the PATH, and the directory in which {@code npm install zarrita} ran: the property or the
 * variable {@code ZARRITA} names it. {@code target/interop/zarrita.txt} lists what zarrita does not
 * read, by reason.
 */
class ZarritaOverServerTest {
  private static final String SCRIPT = "read_with_zarrita.mjs";

  @TempDir Path directory;

  /** An array, and the elements that it has. */
  private record Case(Fixture fixture, String path, JsonObject node) {
    String name() {
      return fixture.name() + ":" + path;
    }

    JsonObject inManifest() {
      String root = fixture.name() + "/store" + (fixture.text("path").isEmpty() ? "" : "/");
      String place = root + fixture.text("path") + (path.isEmpty() ? "" : "/" + path);
      return JsonObject.EMPTY
          .with("name", name())
          .with("path", place)
          .with("format", fixture.isVersion3() ? 3 : 2);
    }

    boolean isRight(JsonValue result) {
      byte[] expected = fixture.file(Fixture.textOf(node.get("expected")));
      if (Fixture.textOf(node.get("encoding")).equals("bin")) {
        return result.equals(new JsonString(sha256(expected)));
      }
      JsonValue list =
          JsonDocument.parseAttributes(ByteBuffer.wrap(expected), Location.UNKNOWN).value();
      return result instanceof JsonObject read && list.equals(read.get("elements"));
    }

    private static String sha256(byte[] bytes) {
      try {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Fixture fixture : Fixtures.good()) {
      if (!fixture.isDirectory() || fixture.text("format").contains("draft")) {
        continue; // zarrita knows neither archives nor the draft
      } else if (!fixture.isHierarchy()) {
        cases.add(new Case(fixture, "", fixture.description()));
        continue;
      }
      JsonArray nodes = (JsonArray) Objects.requireNonNull(fixture.description().get("nodes"));
      for (JsonValue each : nodes.elements()) {
        JsonObject node = (JsonObject) each;
        if (Fixture.textOf(node.get("type")).equals("array")) {
          cases.add(new Case(fixture, Fixture.textOf(node.get("path")), node));
        }
      }
    }
    return cases;
  }

  @Test
  void each_array_that_it_reads_from_disk_is_read_from_the_server() throws Exception {
    prepareScript();
    Map<String, Case> cases = new LinkedHashMap<>();
    MemoryStore values = MemoryStore.create();
    Path disk = directory.resolve("disk");
    for (Case one : cases()) {
      if (cases.put(one.name(), one) == null && one.fixture().isUnpackable()) {
        one.fixture().unpack(disk);
      }
      for (String key : one.fixture().keys()) {
        StoreKey place = StoreKey.of(one.fixture().name() + "/store/" + key);
        values.set(place, Bytes.wrap(one.fixture().value(key))).block();
      }
    }
    RunningServer server = Objects.requireNonNull(ZarrServer.of(values).port(0).start().block());
    List<String> lines;
    try {
      JsonObject manifest =
          JsonObject.EMPTY
              .with("url", server.uri().toString())
              .with("directory", disk.toString())
              .with(
                  "arrays",
                  new JsonArray(cases.values().stream().<JsonValue>map(Case::inManifest).toList()));
      lines = run(manifest);
    } finally {
      server.close().block();
    }
    judge(cases, lines);
  }

  private void prepareScript() throws IOException {
    String place = System.getProperty("ZARRITA", System.getenv("ZARRITA"));
    assumeTrue(place != null, "no property ZARRITA names a directory with zarrita");
    Path modules = Path.of(place, "node_modules").toAbsolutePath();
    assumeTrue(Files.isDirectory(modules.resolve("zarrita")), "no zarrita is in " + modules);
    Files.createSymbolicLink(directory.resolve("node_modules"), modules);
    try (InputStream script = getClass().getResourceAsStream("/interop/" + SCRIPT)) {
      Files.copy(Objects.requireNonNull(script), directory.resolve(SCRIPT));
    }
  }

  private List<String> run(JsonObject manifest) throws IOException {
    Path file = Files.writeString(directory.resolve("manifest.json"), manifest.toString());
    return Program.run(
            new ProcessBuilder(
                InstalledServer.program("node").toString(),
                directory.resolve(SCRIPT).toString(),
                file.toString()))
        .lines()
        .toList();
  }

  private static void judge(Map<String, Case> cases, List<String> lines) throws IOException {
    List<String> faults = new ArrayList<>();
    Map<String, List<String>> unread = new TreeMap<>();
    int read = 0;
    for (String line : lines.subList(1, lines.size())) {
      JsonObject result =
          JsonDocument.parse(
                  ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), Location.UNKNOWN)
              .object();
      Case one = Objects.requireNonNull(cases.get(result.string("name").orElseThrow()));
      JsonValue server = Objects.requireNonNull(result.get("server"));
      JsonValue disk = Objects.requireNonNull(result.get("disk"));
      boolean isRight = one.isRight(server);
      if (one.isRight(disk) && !isRight) {
        faults.add(one.name() + ": " + server.toString());
      } else if (isRight) {
        read++;
      } else {
        unread.computeIfAbsent(reason(disk), any -> new ArrayList<>()).add(one.name());
      }
    }
    report(lines.get(0), read, unread);
    assertThat(faults).isEmpty();
    assertThat(lines).hasSize(cases.size() + 1);
    assertThat(read).isGreaterThan(1000);
  }

  private static String reason(JsonValue result) {
    return result instanceof JsonObject read && read.string("error").isPresent()
        ? read.string("error").orElseThrow().replaceAll("[0-9][0-9_]*", "N")
        : "other elements than were written";
  }

  private static void report(String version, int read, Map<String, List<String>> unread)
      throws IOException {
    StringBuilder text = new StringBuilder(version + ": " + read + " arrays read\n");
    unread.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -entry.getValue().size()))
        .forEach(
            entry ->
                text.append(entry.getValue().size())
                    .append(" × ")
                    .append(entry.getKey())
                    .append("\n    ")
                    .append(String.join(" ", entry.getValue()))
                    .append('\n'));
    Path file = Path.of("target/interop/zarrita.txt");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
