package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Python's icechunk commits on top of our commits, and we on top of its. */
@Timeout(600)
class TurnsWithPythonTest {
  private static final String SCRIPT = "take_turns.py";

  @TempDir Path directory;

  @Sampled
  @Test
  void python_commits_on_top_of_ours_and_we_on_top_of_its() throws IOException {
    String python = PythonInterpreter.find();
    assumeTrue(
        python != null,
        "no Python with icechunk was found, so that nobody takes turns; name one with"
            + " -DICECHUNK_PYTHON=/path/to/python");
    Path script = directory.resolve(SCRIPT);
    try (InputStream in = TurnsWithPythonTest.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    Path place = directory.resolve("repository");
    IcechunkRepository repository = await(Icechunk.create(FileSystemStore.open(place)));
    List<String> ids = new ArrayList<>();
    IcechunkSession first = await(repository.session("main"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(first);
    await(
        hierarchy.createArray(
            "a", ArrayMetadata.v3(Shape.of(0), DataTypes.INT32).chunkShape(2).build()));
    await(hierarchy.createGroup("turns"));
    ids.add(await(first.commit("begin")));
    Path log = directory.resolve("log.txt");
    Process process =
        new ProcessBuilder(python, script.toString(), place.toString())
            .redirectError(log.toFile())
            .start();
    int rounds = Cases.some(10, 100);
    try (OutputStream ask = process.getOutputStream();
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (int round = 0; round < rounds; round++) {
        ids.add(ours(repository, 2 * round));
        ask.write('\n');
        ask.flush();
        String id = answers.readLine();
        assertThat(id).as(() -> read(log)).isNotNull();
        ids.add(id);
      }
    } finally {
      process.destroyForcibly();
    }
    IcechunkRepository last = await(repository.refresh());
    List<String> history = new ArrayList<>();
    await(last.history(IcechunkVersion.MAIN)).forEach(each -> history.add(0, each.id()));
    assertThat(history.subList(1, history.size())).isEqualTo(ids);
    assertThat(await(last.checkHistory())).isEmpty();
    assertThat(values(last)).isEqualTo(expected(2 * rounds));
  }

  private static String ours(IcechunkRepository repository, int count) {
    IcechunkSession session = await(repository.session("main"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    ZarrArray array = await(hierarchy.openArray("a"));
    assertThat(await(array.read()).toIntArray()).isEqualTo(expected(count));
    await(array.append(0, NdArray.ofInts(DataTypes.INT32, Shape.of(1), 3 * count + 1)));
    await(hierarchy.createGroup("turns/java" + count));
    return await(session.commit("java " + count));
  }

  private static int[] values(IcechunkRepository repository) {
    return await(
            await(Zarr.hierarchy(await(repository.store(IcechunkVersion.MAIN))).openArray("a"))
                .read())
        .toIntArray();
  }

  private static int[] expected(int count) {
    return IntStream.range(0, count).map(i -> 3 * i + 1).toArray();
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
