package dev.zarrreactive;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Blosc;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** {@link Zarr#warmUp()}. */
class WarmUpTest {
  @TempDir Path directory;

  @Test
  void it_completes_on_a_codec_thread_each_time() {
    for (int i = 0; i < 2; i++) {
      Mono<String> thread =
          Zarr.warmUp().thenReturn("").map(any -> Thread.currentThread().getName());
      assertThat(await(thread)).startsWith("zarr-codec");
    }
  }

  @Test
  void a_cancel_ends_it() {
    StepVerifier.create(Zarr.warmUp()).thenCancel().verify();
  }

  @ParameterizedTest
  @ValueSource(strings = {"zstd", "gzip", "blosc"})
  void the_first_read_of_a_process_then_loads_few_classes(String name) throws Exception {
    NamedConfiguration codec =
        switch (name) {
          case "zstd" -> Codecs.zstd(3);
          case "gzip" -> Codecs.gzip(5);
          default -> Codecs.blosc(Blosc.Compressor.LZ4);
        };
    Shape shape = Shape.of(100);
    await(
        Zarr.hierarchy(FileSystemStore.open(directory))
            .createArray("a", ArrayMetadata.v3(shape, DataTypes.FLOAT64).compressors(codec).build())
            .flatMap(
                array -> array.write(Selection.all(), NdArray.ofDoubles(shape, new double[100]))));
    int cold = classes(false);
    int warm = classes(true);
    assertThat(warm).isLessThan(cold / 4);
  }

  /** Returns the number of classes that the first read of a fresh process loads. */
  private int classes(boolean warmsUp) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FirstReadAfterWarmUp.class.getName(),
                directory.toString(),
                "a",
                Boolean.toString(warmsUp))
            .redirectErrorStream(true)
            .start();
    CompletableFuture.delayedExecutor(90, TimeUnit.SECONDS).execute(process::destroyForcibly);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(output).contains("[100] ");
    return Integer.parseInt(output.substring(output.indexOf("[100] ") + 6).strip());
  }
}
