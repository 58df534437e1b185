package dev.zarrreactive.modules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library as named modules, in a JVM of its own. */
class ModulePathTest {
  /** The libraries behind core, http, s3 and gcs; tests have more on their class path. */
  private static final Predicate<String> ON_THE_MODULE_PATH =
      Pattern.compile(
              "zarr-reactive-(base|store|zip|format|codecs|numcodecs|drafts|core|http|remote|objects|s3|gcs)/target/(classes|[^/]*SNAPSHOT\\.jar)$"
                  + "|/(reactor-core|reactor-netty-core|reactor-netty-http|reactive-streams"
                  + "|jackson-core|jspecify|zstd-jni|lz4-java|slf4j-api|eventstream)-[0-9][^/]*\\.jar$"
                  + "|/io/netty/|/software/amazon/awssdk/|/com/google/|/io/(grpc|opencensus)/")
          .asPredicate();

  @TempDir Path directory;

  private final MemoryStore store = MemoryStore.create();
  private final FaultyServer server = FaultyServer.of(store);

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void an_application_reads_over_http_and_sees_nothing_internal() throws Exception {
    NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(2, 2), 1, 2, 3, 4);
    Zarr.hierarchy(store)
        .createArray(
            "a",
            ArrayMetadata.v3(data.shape(), data.dataType())
                .compressors(NamedConfiguration.of("zstd", JsonObject.EMPTY.with("level", 3)))
                .build())
        .flatMap(array -> array.write(Selection.all(), data))
        .block();
    assertThat(printed(server.uri() + "/a"))
        .isEqualTo(
            """
            module: dev.zarrreactive.core
            exported, but internal: 0
            neither exported nor internal: 0
            schemes: {gs=dev.zarrreactive.gcs, http=dev.zarrreactive.http, https=dev.zarrreactive.http, s3=dev.zarrreactive.s3}
            read: [1, 2, 3, 4]
            """);
  }

  private String printed(String url) throws Exception {
    List<String> entries =
        Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> modules = entries.stream().filter(ON_THE_MODULE_PATH).toList();
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--module-path",
                String.join(File.pathSeparator, modules),
                "--add-modules",
                "dev.zarrreactive.core,dev.zarrreactive.http,dev.zarrreactive.s3,dev.zarrreactive.gcs",
                "--class-path",
                entries.stream().filter(entry -> entry.endsWith("test-classes")).findFirst().get(),
                ModulePathProgram.class.getName(),
                url)
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("err").toFile()))
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(() -> text(out) + text(directory.resolve("err"))).isZero();
    return text(out);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
