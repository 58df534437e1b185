package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.CommandRun;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/start-up.md, with a service that reads one array and ends. */
@Timeout(600)
class StartUpSamplesTest {
  private static final Path PAGE = Pages.ROOT.resolve("docs/start-up.md");
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @TempDir Path directory;

  /** The service. */
  static final class Service {
    private Service() {}

    public static void main(String[] arguments) {
      var elements =
          Zarr.at(System.getenv("EARTH") + "/earth/lat")
              .openArray()
              .flatMap(array -> array.read(Selection.all()))
              .block();
      System.out.println("read " + elements.shape());
    }
  }

  @BeforeEach
  void is_there() {
    assumeThat(Path.of("/bin/sh")).as("a shell").exists();
  }

  @Test
  void a_start_takes_the_classes_from_the_archive_of_an_earlier_run() throws Exception {
    assertThat(printedByTheSecond("archive"))
        .contains("read [360]")
        .containsPattern("dev\\.zarrreactive\\.Zarr source: shared objects file");
  }

  @Test
  void a_start_takes_the_classes_from_the_cache_of_an_earlier_run() throws Exception {
    assumeThat(Runtime.version().feature()).as("the version of Java").isGreaterThanOrEqualTo(25);
    assertThat(printedByTheSecond("cache"))
        .contains("read [360]")
        .containsPattern("dev\\.zarrreactive\\.Zarr source: shared objects file");
  }

  private String printedByTheSecond(String sample) throws Exception {
    makeService();
    List<String> commands =
        Pages.fences(PAGE, "sh").stream()
            .filter(fence -> fence.comment().equals("<!-- run: " + sample + " -->"))
            .map(Pages.Fence::text)
            .toList();
    assertThat(commands).hasSize(2);
    assertThat(run(commands.get(0))).contains("read [360]");
    return run(commands.get(1));
  }

  private String run(String command) throws IOException, InterruptedException {
    Path printed = directory.resolve("printed");
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder
        .environment()
        .merge("PATH", JDK.resolve("bin").toString(), (old, bin) -> bin + File.pathSeparator + old);
    builder.environment().put("EARTH", CommandRun.EARTH.toString());
    builder.environment().put("JDK_JAVA_OPTIONS", "-Xlog:class+load");
    Process process = builder.start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(printed);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  /**
   * Makes service.jar, whose manifest names the jars of this test's class path, by names beside it:
   * Java 17 archives no classes of a jar that is named by a URL.
   */
  private void makeService() throws IOException {
    List<String> names = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path path = Path.of(entry);
      String name = names.size() + ".jar";
      if (Files.isDirectory(path)) {
        pack(path, directory.resolve(name));
        names.add(name);
      } else if (Files.exists(path)) {
        Files.copy(path, directory.resolve(name));
        names.add(name);
      }
    }
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Service.class.getName());
    main.put(Attributes.Name.CLASS_PATH, String.join(" ", names));
    try (OutputStream out = Files.newOutputStream(directory.resolve("service.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(classes);
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }
}
