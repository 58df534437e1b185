package dev.zarrreactive.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs this client and others, each in a process of its own, in turns on the same data, and prints
 * tables of ratios. The script {@code benchmarks/compare/run} gives it its directories.
 *
 * <pre>
 * --rounds=7          the counted rounds
 * --warm=15           the rounds before them
 * --side=512          the elements along each dimension
 * --links=0,1,20,100  the latencies of HTTP in milliseconds; none for no HTTP
 * --files=no          leaves out what reads files
 * --only=TEXT         the workloads whose names have this text; several with commas between
 * --peers=TEXT        likewise of the clients; this one always takes part
 * </pre>
 */
public final class Compare {
  private final int rounds;
  private final int warm;
  private final Path work;
  private final File log;
  private final List<Peer> peers = new ArrayList<>();
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
    ComparedData.make(data, side);
    Compare compare =
        new Compare(
            Integer.parseInt(options.getOrDefault("rounds", "7")),
            Integer.parseInt(options.getOrDefault("warm", "15")),
            work);
    compare.find(
        Path.of(options.getOrDefault("sources", "benchmarks/compare/peers")).toAbsolutePath(),
        words(options, "peers"));
    List<Workload> workloads =
        Workload.all(side).stream()
            .filter(each -> words(options, "only").stream().anyMatch(each.name()::contains))
            .toList();
    if (!options.getOrDefault("files", "yes").equals("no")) {
      compare.at("files", data.toString(), workloads, null);
    }
    String links = options.getOrDefault("links", "0,1,20,100");
    if (!links.equals("none")) {
      compare.overHttp(
          data,
          links,
          workloads.stream().filter(each -> each.kind() != Workload.Kind.FILES).toList());
    }
    ComparisonTables tables = new ComparisonTables(compare.versions, compare.results);
    System.out.print(tables.markdown());
    Files.writeString(work.resolve("comparison.md"), tables.markdown());
    Files.writeString(work.resolve("comparison.svg"), new ComparisonPicture(compare.results).svg());
    System.exit(compare.isWrong ? 1 : 0);
  }

  private static List<String> words(Map<String, String> options, String name) {
    return Arrays.asList(options.getOrDefault(name, "").split(",", -1));
  }

  private void find(Path sources, List<String> wanted) {
    for (Peer peer : Peer.all(sources, work.resolve("peers"))) {
      String version = peer.version(log);
      boolean isWanted =
          peer.name().equals(Peer.OURS) || wanted.stream().anyMatch(peer.name()::contains);
      versions.put(peer.name(), version.isEmpty() ? "not installed" : version);
      if (isWanted && !version.isEmpty()) {
        peers.add(peer);
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

  private void at(
      String place, String location, List<Workload> workloads, @Nullable LatencyProxy link)
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
