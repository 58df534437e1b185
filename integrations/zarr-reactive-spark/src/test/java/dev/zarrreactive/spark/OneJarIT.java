package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.Origin;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.spark.line.IdentityCheck;
import dev.zarrreactive.testing.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/**
 * The one jar, as {@code mvn verify} makes it, beside Spark and nothing else: two executors read
 * files and objects in clouds. Other lines of Spark are named by {@code
 * -Dzarr.spark.lines=4.0.4_2.13,...}; Maven finds their libraries.
 */
class OneJarIT {
  /** The libraries that the jar has under other names, and those of the tests. */
  private static final List<String> NOT_OF_SPARK =
      List.of(
          "dev/zarrreactive",
          "io/projectreactor",
          "org/reactivestreams",
          "software/amazon",
          "com/datadoghq",
          "com/azure",
          "com/microsoft",
          "org/gaul",
          "org/junit",
          "org/assertj",
          "net/jqwik",
          "com/tngtech");

  /** The library for identities of Azure, with the Reactor that it calls by its own name. */
  private static final List<String> IDENTITY =
      List.of(
          "com/azure/",
          "com/microsoft/",
          "io/projectreactor/reactor-",
          "io/projectreactor/netty/",
          "org/reactivestreams/reactive-streams/");

  @TempDir Path directory;

  @BeforeEach
  void thereIsAJar() {
    assumeTrue(
        !System.getProperty("zarr.spark.jar", "").isEmpty(), "the jar is made by mvn verify");
    assumeTrue(Runtime.version().feature() <= 21, "Spark 3.5 runs on Java 17 and 21");
  }

  private static Path jar() {
    return Path.of(System.getProperty("zarr.spark.jar"));
  }

  @Test
  void each_class_of_the_jar_has_a_name_of_this_project() throws Exception {
    try (JarFile jar = new JarFile(jar().toFile())) {
      List<String> classes =
          jar.stream()
              .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
              .filter(name -> name.endsWith(".class"))
              .toList();
      assertThat(classes).hasSizeGreaterThan(5000);
      assertThat(classes)
          .as("classes that would clash with those of a cluster")
          .allMatch(name -> name.startsWith("dev/zarrreactive/"));
      List<String> services =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.startsWith("META-INF/services/") && !name.endsWith("/"))
              .map(name -> name.substring("META-INF/services/".length()))
              .toList();
      assertThat(services)
          .contains("org.apache.spark.sql.sources.DataSourceRegister")
          .allMatch(
              name -> name.startsWith("dev.zarrreactive.") || name.startsWith("org.apache.spark."));
    }
  }

  @Slow
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void the_jar_and_spark_are_enough() throws Exception {
    assertThat(SparkProcess.check("local-cluster[2,1,1024]", directory, withSpark()))
        .startsWith("3.5");
  }

  /** Returns the jar, and those of Spark. */
  private static List<String> withSpark() {
    List<String> classPath = new ArrayList<>(List.of(jar().toString()));
    jars()
        .filter(path -> NOT_OF_SPARK.stream().noneMatch(path.replace('\\', '/')::contains))
        .filter(path -> !path.contains("zarr-reactive"))
        .forEach(classPath::add);
    return classPath;
  }

  private static Stream<String> jars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> path.endsWith(".jar"));
  }

  @Slow
  @Test
  void an_identity_of_azure_gives_tokens_where_its_library_stands_beside_the_jar()
      throws Exception {
    List<String> classPath = withSpark();
    assertThat(readWithIdentity("without", classPath))
        .contains("no credential from the managed identity of this machine")
        .contains("com.azure:azure-identity on the class path; add it");
    jars()
        .filter(path -> IDENTITY.stream().anyMatch(path.replace('\\', '/')::contains))
        .forEach(classPath::add);
    assertThat(readWithIdentity("with", classPath)).isEqualTo("the sum is 45.0");
  }

  /** Reads a table from a server that takes a token of the machine alone. */
  private String readWithIdentity(String name, List<String> classPath) throws Exception {
    Path data = Files.createDirectories(directory.resolve(name));
    await(
        Dataset.builder()
            .consolidated(true)
            .variable("n", List.of("x"), NdArray.ofDoubles(Shape.of(3), 5, 10, 30))
            .write(Zarr.at(data.resolve("table.zarr").toString())));
    try (FaultyServer server =
        FaultyServer.of((Origin) asked -> Mono.fromCallable(() -> answer(data, asked)))) {
      return SparkProcess.run(
          data,
          classPath,
          IdentityCheck.class,
          List.of(server.uri().toString()),
          Map.of("IDENTITY_ENDPOINT", server.uri() + "/msi/token", "IDENTITY_HEADER", "x"));
    }
  }

  private static ServerResponse answer(Path data, ReceivedRequest asked) throws IOException {
    if (asked.path().startsWith("msi/")) {
      return ServerResponse.of(
              200,
              Bytes.utf8(
                  "{\"access_token\":\"t0ken\",\"token_type\":\"Bearer\",\"expires_on\":\""
                      + Instant.now().plusSeconds(3600).getEpochSecond()
                      + "\",\"resource\":\"https://storage.azure.com\"}"))
          .with("content-type", "application/json");
    }
    if (!"Bearer t0ken".equals(asked.header("authorization"))) {
      return ServerResponse.of(401, Bytes.EMPTY);
    }
    Path file = data.resolve(asked.path().replaceFirst("^container/", ""));
    return Files.isRegularFile(file)
        ? ServerResponse.of(200, Bytes.wrap(Files.readAllBytes(file))).with("etag", "\"1\"")
        : ServerResponse.of(404, Bytes.EMPTY).with("x-ms-error-code", "BlobNotFound");
  }

  static Stream<String> lines() {
    return Arrays.stream(System.getProperty("zarr.spark.lines", "").split(","))
        .filter(line -> !line.isBlank());
  }

  @Slow
  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("lines")
  void the_same_jar_runs_with_each_line(String line) throws Exception {
    String[] versions = line.strip().split("_");
    Path paths = directory.resolve("class-path.txt");
    Path printed = directory.resolve("maven.txt");
    Process maven =
        new ProcessBuilder(
                System.getProperty("zarr.maven"),
                "-q",
                "-B",
                "-f",
                Path.of("lines", "pom.xml").toAbsolutePath().toString(),
                "dependency:build-classpath",
                "-Dmaven.repo.local=" + System.getProperty("zarr.repository"),
                "-Dspark.version=" + versions[0],
                "-Dspark.scala=" + versions[1],
                "-Dmdep.outputFile=" + paths)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    boolean ended = maven.waitFor(9, TimeUnit.MINUTES);
    maven.destroyForcibly();
    assertThat(ended && maven.exitValue() == 0)
        .as(Files.readString(printed, StandardCharsets.UTF_8))
        .isTrue();
    List<String> classPath = new ArrayList<>(List.of(jar().toString()));
    classPath.addAll(List.of(Files.readString(paths).strip().split(File.pathSeparator)));
    assertThat(SparkProcess.check("local-cluster[2,1,1024]", directory, classPath))
        .isEqualTo(versions[0]);
  }
}
