package dev.zarrreactive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script {@code zarr} as cron, systemd and most containers run it: without a locale, with a
 * home that nobody can write to, in a pipe of 80 columns without colours.
 */
class BareEnvironmentTest {
  private static final Path SCRIPT = Path.of("../../zarr").toAbsolutePath().normalize();

  /** Lines of all commands, one after the other in an empty directory. */
  private static final List<String> LINES =
      List.of(
          "demo --save earth.zarr",
          "info earth.zarr/earth/relief",
          "header earth.zarr",
          "tree earth.zarr",
          "ls earth.zarr --recursive",
          "du earth.zarr",
          "copy earth.zarr \u017b\u00f3\u0142w.zarr --format 2",
          "migrate \u017b\u00f3\u0142w.zarr --remove-v2",
          "consolidate \u017b\u00f3\u0142w.zarr",
          "validate \u017b\u00f3\u0142w.zarr --data",
          "diff earth.zarr \u017b\u00f3\u0142w.zarr",
          "ls .",
          "attrs \u017b\u00f3\u0142w.zarr/earth sign=\u2603",
          "attrs \u017b\u00f3\u0142w.zarr/earth sign",
          "read earth.zarr/earth/relief --select 100,::90 --format csv --quiet",
          "read earth.zarr/earth/relief",
          "read earth.zarr/earth/lat -o \u017b.npy",
          "stats earth.zarr/earth",
          "stats earth.zarr/earth/lat --histogram 3 --percentiles 5,50",
          "view earth.zarr/earth/relief",
          "view earth.zarr/earth/rgb -o \u017b.png --size 90",
          "stream earth.zarr/earth/lat --in-order",
          "create new.zarr/t --shape 3,360 --dtype float64 --dimensions time,lat",
          "import \u017b.npy new.zarr/lat",
          "ome create new.zarr/t image.zarr --axes y,x",
          "append new.zarr/lat earth.zarr/earth/lat",
          "resize new.zarr/t 2,360",
          "mv new.zarr/t temperature",
          "rm new.zarr/temperature",
          "rm new.zarr/temperature --yes",
          "clean new.zarr",
          "bench new.zarr/lat --requests 4",
          "init repo",
          "create repo|icechunk:/a --shape 2 --dtype int8 --message \u2603",
          "history repo --changes",
          "branch repo trial",
          "tag repo v1",
          "expire repo --older-than 90d --dry-run",
          "serve missing.zarr",
          "sign http://127.0.0.1/a --key-file missing.key",
          "completion fish",
          "help copy",
          "help --man rm",
          "tree missing.zarr");

  private static final Map<String, String> USUAL =
      Map.of("LC_ALL", "C.UTF-8", "TERM", "xterm-256color", "COLORTERM", "truecolor");

  @TempDir static Path shared;

  @TempDir Path directory;

  /** Makes a jar that runs the lines of a file with the classes of this test. */
  @BeforeAll
  static void make() throws IOException {
    assumeThat(Path.of("/bin/sh")).as("a shell").exists();
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, EveryLine.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("slf4j"))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(shared.resolve("lines.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  /** What a run has printed, in which the words of a moment or of chance are the same. */
  private record Printed(String out, List<String> err) {}

  private Printed printed(Path work, Map<String, String> environment, List<String> lines)
      throws Exception {
    Path file = Files.write(directory.resolve("lines"), lines);
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", SCRIPT.toString(), file.toString())
            .directory(work.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    Map<String, String> variables = builder.environment();
    String path = variables.getOrDefault("PATH", "/usr/bin:/bin");
    variables.clear(); // as env -i does
    variables.put("PATH", path);
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    variables.put("ZARR_JAR", shared.resolve("lines.jar").toString());
    variables.put("ZARR_JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    variables.putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    List<String> errors = Files.readAllLines(err);
    assertThat(process.exitValue()).as(errors.toString()).isZero();
    return new Printed(
        masked(Files.readString(out)),
        errors.stream()
            .filter(line -> !line.contains("preparing quick starts"))
            .filter(line -> !line.contains(" left, ")) // progress, every ten seconds
            .map(BareEnvironmentTest::masked)
            .sorted() // warnings of several nodes come in any order
            .toList());
  }

  private static String masked(String text) {
    return text.replaceAll("\\b[0-9A-HJKMNP-TV-Z]{20}\\b", "SNAPSHOT")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "NOW")
        .replaceAll("in [0-9.]+ m?s\\b", "in a time")
        .replaceAll("(?s)(\\$ zarr bench [^\n]*\n).*?(exit code)", "$1MEASURED\n$2");
  }

  /** Returns the files that the lines have written, but those with names and times of chance. */
  private static Map<String, Integer> files(Path work) throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(work)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = work.relativize(file).toString();
        if (!name.startsWith("repo")) {
          files.put(name, Arrays.hashCode(Files.readAllBytes(file)));
        }
      }
    }
    return files;
  }

  private static Map<String, String> bare(Path home) {
    Map<String, String> bare = new HashMap<>(Map.of("LC_ALL", "C", "LC_CTYPE", "", "LANG", ""));
    bare.putAll(Map.of("HOME", home.toString(), "NO_COLOR", "1", "TERM", "dumb", "COLUMNS", "80"));
    return bare;
  }

  @Test
  void every_command_has_the_same_results() throws Exception {
    Path home = Files.createDirectory(directory.resolve("home"));
    assumeThat(home.toFile().setWritable(false)).as("a home to which nobody writes").isTrue();
    Path usual = Files.createDirectory(directory.resolve("usual"));
    Path bare = Files.createDirectory(directory.resolve("bare"));
    Printed expected = printed(usual, USUAL, LINES);
    assertThat(expected.out()).contains("tree earth.zarr\nearth.zarr\n\u2514\u2500\u2500 earth\n");
    assertThat(printed(bare, bare(home), LINES)).isEqualTo(expected);
    assertThat(files(bare)).isEqualTo(files(usual)).containsKey("\u017b.npy");
    assertThat(home).isEmptyDirectory();
  }

  @Test
  void every_command_is_among_the_lines() {
    Set<String> tried = new TreeSet<>();
    LINES.forEach(line -> tried.add(line.split(" ", -1)[0]));
    assertThat(tried).isEqualTo(new TreeSet<>(ZarrCommand.fullModel().getSubcommands().keySet()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"POSIX", ""})
  void names_outside_of_ascii_are_read_without_a_locale(String locale) throws Exception {
    String name = "\u017b\u00f3\u0142w\u2603";
    Files.createDirectory(directory.resolve(name));
    Map<String, String> variables = Map.of("LC_ALL", locale, "LC_CTYPE", "", "LANG", "");
    assertThat(printed(directory, variables, List.of("ls .")).out()).contains("  " + name + "/\n");
  }
}
