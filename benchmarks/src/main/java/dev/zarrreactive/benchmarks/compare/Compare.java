package dev.zarrreactive.benchmarks.compare;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs this client and others, each in a process of its own, in turns on the same data, and prints
 * tables of ratios. The script {@code benchmarks/compare/run} gives it its directories.
 *
 * <pre>
 * --rounds=7          the counted rounds
 * --warm=15           the rounds before them
 * --side=512          the elements along each dimension
 * --places=files,memory,http,s3,faults   the places of the data; icechunk, icechunk-http,
 *                     icechunk-s3 and icechunk-virtual beside icechunk
 * --links=0,1,5,20,50,100   the latencies of HTTP in milliseconds; S3 has the first of them
 * --only=TEXT         the workloads whose names have this text; several with semicolons between
 * --peers=NAME        the clients, with semicolons between; this one always takes part
 * </pre>
 */
public final class Compare {
  private static final String ICECHUNK = "icechunk";
  private static final String IN_REPOSITORY = "icechunk+";
  private static final String REPOSITORY = "/" + ComparedRepository.REPOSITORY;
  private static final String NO_BUCKET =
      "S3: no server; name one with -Dzarr.compare.minio=/path/to/minio";

  private final int rounds;
  private final int warm;
  private final Path work;
  private final File log;
  private final List<Peer> peers = new ArrayList<>();
  private final List<Peer> peersOfRepositories = new ArrayList<>();
  private final Map<String, String> versions = new LinkedHashMap<>();
  private final List<Comparison> results = new ArrayList<>();
  private boolean isWrong;

  private Compare(int rounds, int warm, Path work) {
    this.rounds = rounds;
    this.warm = warm;
    this.work = work;
    this.log = work.resolve("peers.log").toFile();
  }

  /** Compares, prints the tables, writes the picture, and ends with 1 where a result is wrong. */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> options = new LinkedHashMap<>();
    for (String argument : arguments) {
      String[] parts = argument.replaceFirst("^--", "").split("=", 2);
      options.put(parts[0], parts.length > 1 ? parts[1] : "");
    }
    Path work = Path.of(options.getOrDefault("work", "benchmarks/target/compare")).toAbsolutePath();
    int side = Integer.parseInt(options.getOrDefault("side", "512"));
    Files.createDirectories(work);
    Path data = work.resolve("data");
    List<String> places =
        List.of(options.getOrDefault("places", "files,memory,http,s3,faults").split(",", -1));
    Path sources =
        Path.of(options.getOrDefault("sources", "benchmarks/compare/peers")).toAbsolutePath();
    if (!places.stream().allMatch(place -> place.startsWith(ICECHUNK))) {
      ComparedData.make(data, side);
    }
    Compare compare =
        new Compare(
            Integer.parseInt(options.getOrDefault("rounds", "7")),
            Integer.parseInt(options.getOrDefault("warm", "15")),
            work);
    List<String> wanted = words(options, "peers");
    boolean hasRepositories = places.stream().anyMatch(place -> place.startsWith(ICECHUNK));
    Path installed = work.resolve("peers");
    compare.find(Peer.all(sources, installed), wanted, compare.peers);
    if (hasRepositories) {
      compare.find(Peer.ofRepositories(sources, installed), wanted, compare.peersOfRepositories);
    }
    ComparedRepository repository =
        new ComparedRepository(work.resolve("icechunk"), sources, installed, compare.log);
    List<Workload> ofRepository =
        Workload.ofRepository().stream()
            .filter(each -> words(options, "only").stream().anyMatch(each.name()::contains))
            .toList();
    List<Workload> workloads =
        Workload.all(side).stream()
            .filter(each -> words(options, "only").stream().anyMatch(each.name()::contains))
            .toList();
    String links = options.getOrDefault("links", "0,1,5,20,50,100");
    List<Workload> anywhere =
        workloads.stream().filter(each -> each.kind() != Workload.Kind.FILES).toList();
    for (String place : places) {
      switch (place) {
        case "files" -> compare.at("files", data.toString(), workloads, null);
        case "memory" -> compare.at("memory", "memory:" + data, Workload.inMemory(anywhere), null);
        case "http" -> compare.overHttp(data, links, anywhere);
        case "s3" -> compare.overS3(data, links.split(",", -1)[0], Workload.inBucket(anywhere));
        case "faults" -> compare.withFaults(data);
        case ICECHUNK -> compare.inRepository(repository, ofRepository);
        case "icechunk-http" -> compare.inRepositoryOverHttp(repository, links, ofRepository);
        case "icechunk-s3" -> compare.inRepositoryOverS3(repository, links, ofRepository);
        case "icechunk-virtual" -> compare.adjacentChunks(repository, links);
        default -> throw new IllegalArgumentException("no place " + place);
      }
    }
    ComparisonTables tables = new ComparisonTables(compare.versions, compare.results);
    System.out.print(tables.markdown());
    Files.writeString(work.resolve("comparison.md"), tables.markdown());
    Files.writeString(work.resolve("comparison.svg"), new ComparisonPicture(compare.results).svg());
    System.exit(compare.isWrong ? 1 : 0);
  }

  private static List<String> words(Map<String, String> options, String name) {
    return Arrays.asList(options.getOrDefault(name, "").split(";", -1));
  }

  private void find(List<Peer> all, List<String> wanted, List<Peer> found) {
    for (Peer peer : all) {
      boolean isWanted =
          peer.name().equals(Peer.OURS)
              || wanted.contains(peer.name())
              || wanted.equals(List.of(""));
      if (isWanted) {
        String version = peer.version(log);
        versions.put(peer.name(), version.isEmpty() ? "not installed" : version);
        if (!version.isEmpty()) {
          found.add(peer);
        }
      }
    }
  }

  private void overHttp(Path data, String latencies, List<Workload> workloads) throws IOException {
    try (ServedFiles server = ServedFiles.start(data, work, log);
        LatencyProxy link = new LatencyProxy(server.port())) {
      for (String millis : latencies.split(",", -1)) {
        link.delay(Long.parseLong(millis));
        String place = server.name() + " at " + millis + " ms";
        at(place, "http://127.0.0.1:" + link.port() + "/", workloads, link);
      }
    }
  }

  /** Beside the other clients there is this one over HTTP, which reads the same server. */
  private void overS3(Path data, String millis, List<Workload> workloads) throws IOException {
    Optional<ServedBucket> started = ServedBucket.start(data, ServedBucket.ARRAYS, work, log);
    if (started.isEmpty()) {
      System.err.println(NO_BUCKET);
      return;
    }
    try (ServedBucket bucket = started.get();
        LatencyProxy link = new LatencyProxy(bucket.port())) {
      link.delay(Long.parseLong(millis));
      List<Peer> all = new ArrayList<>(peers);
      all.add(Peer.oursOverHttp());
      versions.put(Peer.OURS_OVER_HTTP, "the same, over HTTP");
      at(
          bucket.name() + " at " + millis + " ms",
          "s3+http://127.0.0.1:" + link.port() + "/" + ServedBucket.BUCKET,
          workloads,
          link,
          all);
    }
  }

  /** The clients that read arrays in repositories. */
  private List<Peer> readersOfRepositories() {
    return peersOfRepositories.stream().filter(each -> !each.name().equals(Peer.OBSTORE)).toList();
  }

  private boolean isMade(ComparedRepository repository) throws IOException {
    boolean isMade = repository.make();
    if (!isMade) {
      System.err.println("icechunk is not installed; benchmarks/compare/install does it");
    }
    return isMade;
  }

  private void inRepository(ComparedRepository repository, List<Workload> workloads)
      throws IOException {
    if (isMade(repository)) {
      String location = IN_REPOSITORY + repository.directory() + REPOSITORY;
      at("a repository in files", location, workloads, null, readersOfRepositories());
    }
  }

  private void inRepositoryOverHttp(
      ComparedRepository repository, String latencies, List<Workload> workloads)
      throws IOException {
    if (!isMade(repository)) {
      return;
    }
    try (ServedFiles server = ServedFiles.start(repository.directory(), work, log);
        LatencyProxy link = new LatencyProxy(server.port())) {
      for (String millis : latencies.split(",", -1)) {
        link.delay(Long.parseLong(millis));
        at(
            "a repository over HTTP (" + server.name() + ") at " + millis + " ms",
            IN_REPOSITORY + "http://127.0.0.1:" + link.port() + REPOSITORY,
            workloads,
            link,
            readersOfRepositories());
      }
    }
  }

  private void inRepositoryOverS3(
      ComparedRepository repository, String latencies, List<Workload> workloads)
      throws IOException {
    if (!isMade(repository)) {
      return;
    }
    Set<String> prefixes = Set.of(ComparedRepository.REPOSITORY);
    Optional<ServedBucket> started =
        ServedBucket.start(repository.directory(), prefixes, work, log);
    if (started.isEmpty()) {
      System.err.println(NO_BUCKET);
      return;
    }
    try (ServedBucket bucket = started.get();
        LatencyProxy link = new LatencyProxy(bucket.port())) {
      for (String millis : latencies.split(",", -1)) {
        link.delay(Long.parseLong(millis));
        at(
            "a repository in " + bucket.name() + " at " + millis + " ms",
            IN_REPOSITORY
                + "s3+http://127.0.0.1:"
                + link.port()
                + "/"
                + ServedBucket.BUCKET
                + REPOSITORY,
            workloads,
            link,
            readersOfRepositories());
      }
    }
  }

  /** Reads chunks that lie side by side in a file of the server; the repository is there, too. */
  private void adjacentChunks(ComparedRepository repository, String latencies) throws IOException {
    if (!isMade(repository)) {
      return;
    }
    try (ServedFiles server = ServedFiles.start(repository.directory(), work, log);
        LatencyProxy link = new LatencyProxy(server.port())) {
      String url = "http://127.0.0.1:" + link.port() + "/";
      if (!repository.makeVirtual(url)) {
        System.err.println("the repository of virtual chunks was not made; see " + log);
        return;
      }
      for (String millis : latencies.split(",", -1)) {
        link.delay(Long.parseLong(millis));
        at(
            "a file over HTTP (" + server.name() + ") at " + millis + " ms",
            IN_REPOSITORY + url + ComparedRepository.VIRTUAL,
            List.of(Workload.ofAdjacentChunks()),
            link,
            peersOfRepositories);
      }
    }
  }

  /** Reads over a server that fails: a result needs retries. */
  private void withFaults(Path data) throws IOException {
    Store store = Objects.requireNonNull(Zarr.at(data.toString()).store().block());
    try (FaultyServer server = FaultyServer.of(store)) {
      Fault far = Fault.delay(Duration.ofMillis(20));
      Fault busy = Fault.status(503, null).where(asked -> server.underWay() > 16);
      Fault late = Fault.delay(Duration.ofSeconds(1)).withProbability(0.05, 1);
      Workload read = Workload.withFaults();
      for (String fault : List.of("no fault", "503 above 16", "5 % of answers at 1 s")) {
        server.misbehave(
            switch (fault) {
              case "503 above 16" -> far.and(busy);
              case "5 % of answers at 1 s" -> far.and(late);
              default -> far;
            });
        at(fault + ", at 20 ms", server.uri().toString(), List.of(read), null);
      }
      server.misbehave(far.and(Fault.silence().where(asked -> asked.number() % 300 < 2)));
      at("two answers of 300 never come, at 20 ms", server.uri().toString(), List.of(read), null);
    }
    store.close().block();
  }

  private void at(
      String place, String location, List<Workload> workloads, @Nullable LatencyProxy link)
      throws IOException {
    at(place, location, workloads, link, peers);
  }

  private void at(
      String place,
      String location,
      List<Workload> workloads,
      @Nullable LatencyProxy link,
      List<Peer> peers)
      throws IOException {
    try (Contest contest = new Contest(place, location, link, peers, log)) {
      for (Workload workload : workloads) {
        Comparison result = contest.run(workload, warm, rounds);
        System.err.println(new ComparisonTables(versions, List.of(result)).line(result));
        results.add(result);
      }
      isWrong |= contest.isWrong();
    }
  }
}
