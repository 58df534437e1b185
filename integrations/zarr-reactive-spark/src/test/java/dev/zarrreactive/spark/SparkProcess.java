package dev.zarrreactive.spark;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.partition.Weather;
import dev.zarrreactive.spark.line.LineChecks;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs programs such as {@link LineChecks} in a JVM of its own: with a class path of its own, a
 * home of Spark that {@code local-cluster} asks for, and credentials in the environment, as
 * executors have them.
 */
final class SparkProcess {
  /** The number of checks of one place. */
  private static final int ALL = 16;

  /** The checks of files alone: of the conditions of the page. */
  private static final int OF_FILES = 1;

  /** The minutes after which a process is ended; more of them for a machine with other work. */
  private static final int MINUTES = Integer.getInteger("zarr.spark.minutes", 9);

  private SparkProcess() {}

  /**
   * Writes the data of the checks into a directory: datasets of Zarr v3 and v2, repositories of
   * Icechunk.
   */
  private static void write(Path data) throws IOException {
    Years.write(data.resolve("years"));
    // a web server lists nothing
    await(Zarr.at(data.resolve("years").toString()).openGroup().flatMap(ZarrGroup::consolidate));
    Files.write(data.resolve("conditions.txt"), FiltersTest.conditions("filters"));
    await(Icechunk.create(FileSystemStore.open(data.resolve("streamed"))));
    Repositories.write(data.resolve("r"));
    Repositories.unpack("dataset-v2", data.resolve("r.next"));
    await(
        Icechunk.open(FileSystemStore.open(data.resolve("r.next")))
            .flatMap(
                opened ->
                    opened.createTag("three", IcechunkVersion.snapshot(Repositories.THREE_DAYS))));
    Path directory = data.resolve("w");
    Weather.write(directory);
    ZarrGroup group =
        requireNonNull(
            await(
                Zarr.at(directory.toString())
                    .openGroup()
                    .flatMap(root -> root.createGroup("codecs"))));
    Shape shape = Shape.of(1000);
    NdArray values = NdArray.ofInts(DataTypes.INT32, shape, IntStream.range(0, 1000).toArray());
    Map<String, ArrayMetadataBuilder> arrays = new LinkedHashMap<>();
    arrays.put("zstd", v3().compressors(Codecs.zstd(3)));
    arrays.put("lz4", v3().compressors(Codecs.lz4()));
    arrays.put("blosc", v3().compressors(Codecs.blosc(Blosc.Compressor.LZ4)));
    arrays.put("gzip", v3().compressors(Codecs.gzip(5)));
    arrays.forEach(
        (name, metadata) ->
            await(
                group
                    .createArray(name, metadata.build())
                    .flatMap(array -> array.write(Selection.all(), values))));
    await(
        Zarr.at(data.resolve("v2").toString())
            .createArray(
                ArrayMetadata.v2(shape, DataTypes.INT32)
                    .chunkShape(100)
                    .compressors(Codecs.blosc(Blosc.Compressor.ZSTD))
                    .build())
            .flatMap(array -> array.write(Selection.all(), values)));
  }

  private static ArrayMetadataBuilder v3() {
    return ArrayMetadata.v3(Shape.of(1000), DataTypes.INT32).chunkShape(100);
  }

  /**
   * Runs all checks on files and in S3, and two of them in a bucket of Google and, where its
   * emulator is installed, in a container of Azure. Returns the version of Spark.
   *
   * @param work a directory of the process
   * @param classPath without {@code LineChecks}
   */
  static String check(String master, Path work, List<String> classPath) throws Exception {
    Path data = work.resolve("data");
    write(data);
    List<List<String>> places = new ArrayList<>();
    places.add(List.of(data.toString()));
    try (FilesInS3 server = FilesInS3.serve(data);
        FilesInClouds clouds = FilesInClouds.serve(data)) {
      places.add(
          List.of(
              server.location(),
              "store.endpoint=" + server.endpoint(),
              "store.region=us-east-1",
              "store.path-style=true"));
      places.addAll(clouds.places());
      List<String> arguments = new ArrayList<>(List.of(master));
      for (List<String> place : places) {
        if (arguments.size() > 1) {
          arguments.add("--");
        }
        arguments.addAll(place);
      }
      Map<String, String> credentials = new TreeMap<>(FilesInClouds.VARIABLES);
      credentials.put("AWS_ACCESS_KEY_ID", FilesInS3.ACCESS_KEY);
      credentials.put("AWS_SECRET_ACCESS_KEY", FilesInS3.SECRET_KEY);
      String last = run(work, classPath, LineChecks.class, arguments, credentials);
      int checks = 2 * ALL + OF_FILES + 2 * clouds.places().size();
      String passed = checks + " checks passed with Spark ";
      assertThat(last).startsWith(passed);
      return last.substring(passed.length());
    }
  }

  /**
   * Runs a program that knows Spark and the JDK only, and returns the last line that it prints.
   *
   * @param work a directory of the process
   * @param classPath without the program
   * @param environment more variables of the process
   */
  static String run(
      Path work,
      List<String> classPath,
      Class<?> program,
      List<String> arguments,
      Map<String, String> environment)
      throws Exception {
    Path home = work.resolve("home");
    Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "");
    Path classes = work.resolve("program");
    copyProgram(program, classes);
    List<String> all = new ArrayList<>(classPath);
    all.add(classes.toString());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : System.getProperty("zarr.spark.jvm", "").strip().split("\\s+")) {
      if (!option.isEmpty()) {
        command.add(option);
      }
    }
    command.addAll(
        List.of("-Xmx1g", "-XX:+UseSerialGC", "-cp", String.join(File.pathSeparator, all)));
    command.add(program.getName());
    command.addAll(arguments);
    Path output = work.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    Map<String, String> variables = builder.environment();
    variables.put("SPARK_HOME", home.toString());
    variables.put("SPARK_SCALA_VERSION", "2.13"); // a home without a build is not searched for it
    variables.put("SPARK_LOCAL_IP", "127.0.0.1");
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    variables.putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      String printed = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(ended && process.exitValue() == 0).as(printed).isTrue();
      String[] lines = printed.strip().split("\\R");
      return lines[lines.length - 1];
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** The program stands alone: test classes beside it know libraries under their own names. */
  private static void copyProgram(Class<?> program, Path target)
      throws IOException, java.net.URISyntaxException {
    String file = program.getSimpleName() + ".class";
    Path from = Path.of(requireNonNull(program.getResource(file)).toURI());
    Path to = target.resolve("dev/zarrreactive/spark/line");
    Files.createDirectories(to);
    Files.write(to.resolve(file), Files.readAllBytes(from));
    Files.writeString(
        target.resolve("log4j2.properties"),
        Files.readString(
            Path.of(requireNonNull(SparkProcess.class.getResource("/log4j2.properties")).toURI())));
  }
}
