package dev.zarrreactive.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import sample.service.EarthService;

/**
 * The whole service of the samples, prepared by Spring ahead of time, and started from what Spring
 * has written, as a native image is. No native image is built.
 */
class AheadOfTimeTest {
  @TempDir private Path directory;

  /** Tells the port of the service, whose log the tests leave out. */
  public static final class TellsPort implements ApplicationListener<ApplicationReadyEvent> {
    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
      String port = event.getApplicationContext().getEnvironment().getProperty("local.server.port");
      System.out.println("port " + port);
    }
  }

  private static Process start(Path log, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  /** The settings of the service, as arguments of its JVM. */
  private List<String> settings() {
    return EarthServiceTest.properties(directory).entrySet().stream()
        .map(entry -> "-D" + entry.getKey() + "=" + entry.getValue())
        .toList();
  }

  @Test
  void the_service_starts_from_what_was_made_ahead_of_time_and_answers() throws Exception {
    String secret = "k1:abcdefghijklmnopqrstuvwxyz012345";
    Files.writeString(directory.resolve("links.key"), secret);
    Path sources = directory.resolve("sources");
    Path resources = directory.resolve("resources");
    Path classes = Files.createDirectories(directory.resolve("classes"));
    String classPath = System.getProperty("java.class.path");

    List<String> made = new ArrayList<>(settings());
    made.addAll(List.of("-cp", classPath, SpringApplicationAotProcessor.class.getName()));
    made.add(EarthService.class.getName());
    made.addAll(List.of(sources.toString(), resources.toString(), classes.toString()));
    made.addAll(List.of("sample", "earth"));
    Path log = directory.resolve("log");
    assertThat(start(log, made).waitFor()).as(() -> read(log)).isZero();
    assertThat(directory.resolve("data")).as("no store is opened").doesNotExist();
    compile(sources, classes, classPath);
    assertThat(hints(resources)).contains("ZarrProperties$Named", "ZarrProperties$Keys");

    List<String> run = new ArrayList<>(settings());
    run.addAll(List.of("-Dspring.aot.enabled=true", "-cp"));
    run.add(String.join(File.pathSeparator, classes.toString(), resources.toString(), classPath));
    run.add(EarthService.class.getName());
    Path listeners =
        Files.createDirectories(classes.resolve("META-INF")).resolve("spring.factories");
    Files.writeString(
        listeners, ApplicationListener.class.getName() + "=" + TellsPort.class.getName());
    Path lines = Files.createFile(directory.resolve("lines"));
    Process service = start(lines, run);
    try {
      int port = port(service, lines);
      assertThat(get(port, "/archive/stations")).isEqualTo("[11035,11150,11240]");
      assertThat(get(port, "/values/t2m?sel=time:2026-11-02,lat:48"))
          .isEqualTo("[286.0,285.0,284.5]");
      assertThat(get(port, "/chunks/lat")).contains("\"values\":[48.0,46.0]");
      assertThat(get(port, get(port, "/links/lat") + "/zarr.json")).contains("\"zarr_format\"");
      assertThat(get(port, "/actuator/health/zarr")).contains("\"UP\"");
      assertThat(get(port, "/actuator/zarr/archive")).contains("stations");
    } finally {
      service.destroyForcibly().waitFor();
    }
  }

  private static void compile(Path sources, Path classes, String classPath) throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> all = Files.walk(sources)) {
      List<Path> written = all.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options =
          List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath);
      boolean isCompiled =
          compiler
              .getTask(
                  messages, files, null, options, null, files.getJavaFileObjectsFromPaths(written))
              .call();
      assertThat(isCompiled).as(messages::toString).isTrue();
    }
  }

  /** What a native image is told of, in the files of its builder. */
  private static String hints(Path resources) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> all = Files.walk(resources)) {
      for (Path file : all.filter(each -> each.toString().endsWith(".json")).toList()) {
        text.append(Files.readString(file));
      }
    }
    return text.toString();
  }

  private static int port(Process service, Path log) throws Exception {
    try (BufferedReader lines = Files.newBufferedReader(log)) {
      while (true) {
        String line = lines.readLine();
        if (line == null) {
          assertThat(service.isAlive()).as(() -> read(log)).isTrue();
          Thread.sleep(50);
        } else if (line.startsWith("port ")) {
          return Integer.parseInt(line.substring("port ".length()));
        }
      }
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Accept", "application/json, text/plain")
            .build();
    return HttpClient.newHttpClient()
        .send(request, BodyHandlers.ofString(StandardCharsets.UTF_8))
        .body()
        .strip();
  }
}
