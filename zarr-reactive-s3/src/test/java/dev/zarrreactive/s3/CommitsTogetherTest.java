package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.icechunk.PythonInterpreter;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.ChildProcess;
import dev.zarrreactive.testing.Sampled;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight writers commit to one branch at once, four of ours in two processes and four of Python:
 * each commit that was told is in the history once, and no change is lost. {@code
 * -Dzarr.together=60s} lets them commit for so long.
 */
@Timeout(1200)
class CommitsTogetherTest {
  private static final int WRITERS = 8;
  private static final String SCRIPT = "commit_together.py";

  @TempDir Path directory;

  @Sampled
  @Test
  void eight_writers_commit_to_one_branch_in_minio() throws IOException {
    InstalledS3 minio = InstalledS3.minio(directory.resolve("minio"));
    assumeTrue(minio != null, "no minio is installed; name one with -Dzarr.minio=/path/to/minio");
    try (minio) {
      commitTogether(minio.newBucket(), minio.uri());
    }
  }

  /** Moto checks a condition and stores the value in two steps: it is asked one thing at a time. */
  @Sampled
  @Test
  void eight_writers_commit_to_one_branch_in_moto() throws IOException {
    InstalledS3 moto = InstalledS3.moto();
    assumeTrue(
        moto != null,
        "no moto_server is installed; name one with -Dzarr.moto=/path/to/moto_server");
    try (moto) {
      String bucket = moto.newBucket();
      try (FaultyServer oneAtATime = FaultyServer.before(moto.uri())) {
        oneAtATime.misbehave(oneAtATime());
        commitTogether(bucket, oneAtATime.uri());
      }
    }
  }

  private static Fault oneAtATime() {
    RequestLimit one = RequestLimit.fixed(1);
    return (asked, behaviour) -> behaviour.withChange(answer -> one.inTurn(() -> answer));
  }

  private void commitTogether(String bucket, URI endpoint) throws IOException {
    String python = PythonInterpreter.find();
    assumeTrue(
        python != null,
        "no Python with icechunk was found, so that it does not commit; name one with"
            + " -DICECHUNK_PYTHON=/path/to/python");
    Store place =
        CommittingToBucket.store(endpoint, bucket, InstalledS3.ACCESS_KEY, InstalledS3.SECRET_KEY);
    CommittingToBucket.create(place, WRITERS);
    Path script = directory.resolve(SCRIPT);
    try (InputStream in = CommitsTogetherTest.class.getResourceAsStream(SCRIPT)) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    }
    String much = System.getProperty("zarr.together", "" + Cases.some(2, 40));
    List<String> with =
        List.of(endpoint.toString(), bucket, InstalledS3.ACCESS_KEY, InstalledS3.SECRET_KEY, much);
    TreeMap<String, String> told = new TreeMap<>();
    List<Process> pythons = new ArrayList<>();
    ExecutorService readers = Executors.newCachedThreadPool();
    Path log = directory.resolve("log.txt");
    try (ChildProcess one = ours(with, "0", "1");
        ChildProcess other = ours(with, "2", "3")) {
      for (int writer = 4; writer < WRITERS; writer++) {
        List<String> command = new ArrayList<>(List.of(python, script.toString()));
        command.addAll(with);
        command.add("" + writer);
        pythons.add(
            new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
      }
      List<CompletableFuture<List<String>>> all = new ArrayList<>();
      for (ChildProcess process : List.of(one, other)) {
        all.add(CompletableFuture.supplyAsync(() -> lines(process), readers));
      }
      for (Process process : pythons) {
        all.add(CompletableFuture.supplyAsync(() -> lines(process), readers));
      }
      all.forEach(lines -> lines.join().forEach(line -> note(line, told)));
      for (Process process : pythons) {
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    } finally {
      pythons.forEach(Process::destroyForcibly);
      readers.shutdownNow();
    }
    String complaints = Files.readString(log);
    for (Process process : pythons) {
      assertThat(process.exitValue()).as(complaints).isZero();
    }
    assertHistory(await(Icechunk.open(place)), told);
    if (!much.endsWith("s")) {
      assertThat(told).hasSize(WRITERS * Integer.parseInt(much));
    }
    System.out.println(
        told.size() + " commits of eight writers at " + endpoint + ": " + shares(told));
    await(place.close());
  }

  private static ChildProcess ours(List<String> with, String... writers) {
    List<String> all = new ArrayList<>(with);
    all.addAll(List.of(writers));
    return ChildProcess.start(CommittingToBucket.class, all.toArray(String[]::new));
  }

  private static List<String> lines(ChildProcess process) {
    List<String> lines = new ArrayList<>();
    for (String line = process.line(); line != null; line = process.line()) {
      lines.add(line);
    }
    return lines;
  }

  private static List<String> lines(Process process) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      return lines.lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String shares(TreeMap<String, String> told) {
    long ours = told.keySet().stream().filter(each -> each.charAt(0) < '4').count();
    return ours + " ours, " + (told.size() - ours) + " of Python";
  }

  private static void note(String line, TreeMap<String, String> told) {
    String[] words = line.split(" ", -1);
    assertThat(told.put(words[0] + " " + words[1], words[2])).as(line).isNull();
  }

  private static void assertHistory(IcechunkRepository repository, TreeMap<String, String> told) {
    TreeMap<String, String> stored = new TreeMap<>();
    int others = 0;
    for (IcechunkSnapshot each : await(repository.history(IcechunkVersion.MAIN))) {
      if (each.message().matches("\\d+ \\d+")) {
        assertThat(stored.put(each.message(), each.id())).as(each.message()).isNull();
      } else {
        others++;
      }
    }
    assertThat(stored).isEqualTo(told);
    assertThat(others).isEqualTo(2);
    assertThat(await(repository.checkHistory())).isEmpty();
    ZarrHierarchy hierarchy = Zarr.hierarchy(await(repository.store(IcechunkVersion.MAIN)));
    TreeSet<Integer> appended = new TreeSet<>();
    for (int element : await(await(hierarchy.openArray("log")).read()).toIntArray()) {
      assertThat(appended.add(element)).as("the element %s once", element).isTrue();
    }
    int[] written = await(await(hierarchy.openArray("a")).read()).toIntArray();
    TreeSet<Integer> wanted = new TreeSet<>();
    for (String each : told.keySet()) {
      String[] words = each.split(" ", -1);
      int number = Integer.parseInt(words[1]);
      int place = Integer.parseInt(words[0]) * CommittingToBucket.MOST + number;
      if (number % 2 == 1) {
        wanted.add(place);
      } else {
        assertThat(written[place]).as(each).isEqualTo(place + 1);
      }
    }
    assertThat(appended).isEqualTo(wanted);
  }
}
