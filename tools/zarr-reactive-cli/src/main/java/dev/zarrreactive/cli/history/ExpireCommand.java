package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.options.PastConverter;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkCleaned;
import dev.zarrreactive.icechunk.IcechunkCleanup;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr expire}. */
@Command(
    name = "expire",
    headerHeading = "Example: zarr expire s3://bucket/repo --older-than 90d --collect --dry-run%n",
    description = {
      "Takes old snapshots out of the history of an Icechunk repository, and erases objects",
      "that no snapshot needs. Snapshots of branches and tags stay. Others may commit meanwhile."
    })
public final class ExpireCommand extends Subcommand {
  private static final Map<String, Noun> NOUNS =
      Map.of(
          "snapshots", new Noun("snapshot", "snapshots"),
          "transactions", new Noun("log", "logs"),
          "manifests", new Noun("manifest", "manifests"),
          "chunks", new Noun("chunk", "chunks"),
          "attributes", new Noun("file of attributes", "files of attributes"),
          "overwritten", new Noun("copy of the info", "copies of the info"));

  /** The name of a kind of objects. */
  private record Noun(String one, String many) {}

  @Parameters(paramLabel = "REPO", description = "A repository.")
  private String path;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = PastConverter.class,
      description = "Expire snapshots before this: 90d, or 2026-01-31T00:00:00Z.")
  private @Nullable Instant snapshotsBefore;

  @Option(
      names = "--delete-branches",
      description = "Delete branches that lead to such a snapshot, but for main.")
  private boolean deletesBranches;

  @Option(names = "--delete-tags", description = "Delete tags that lead to such a snapshot.")
  private boolean deletesTags;

  @Option(names = "--collect", description = "Erase objects that no snapshot needs.")
  private boolean collects;

  @Option(
      names = "--keep-objects",
      paramLabel = "TIME",
      defaultValue = "1d",
      converter = PastConverter.class,
      description = "Keep objects that are younger (default: ${DEFAULT-VALUE}).")
  private Instant objectsBefore;

  @Option(
      names = "--take-young",
      description = "Let --keep-objects be less than a day: nobody may be writing.")
  private boolean takesYoung;

  @Option(names = "--dry-run", description = "Only tell what would be removed.")
  private boolean dryRun;

  @Override
  protected String subject() {
    return LocationText.shown(path);
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "a part may be removed; the same command removes the rest";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    IcechunkCleanup wanted = wanted();
    return RepositoryLocation.of(path)
        .use(
            command().storeSettings(spec()).checkedFor(path).of(path),
            store ->
                Icechunk.open(store)
                    .flatMap(repository -> repository.clean(wanted))
                    .publishOn(console.thread())
                    .doOnNext(cleaned -> tell(console, cleaned))
                    .then());
  }

  private IcechunkCleanup wanted() {
    if (snapshotsBefore == null && !collects) {
      throw new ParameterException(
          spec().commandLine(),
          "say what to remove: --older-than TIME for snapshots, --collect for objects that no"
              + " snapshot needs, or both");
    }
    if (snapshotsBefore == null && (deletesBranches || deletesTags)) {
      throw new ParameterException(
          spec().commandLine(), "--delete-branches and --delete-tags need --older-than TIME");
    }
    if (collects && !takesYoung && objectsBefore.isAfter(Instant.now().minus(Duration.ofDays(1)))) {
      throw new ParameterException(
          spec().commandLine(),
          "--keep-objects is less than a day: a session of the last day may still commit an object"
              + " that nothing refers to yet; if nobody is writing, add --take-young");
    }
    IcechunkCleanup wanted =
        IcechunkCleanup.nothing()
            .withExpiredBranches(deletesBranches)
            .withExpiredTags(deletesTags)
            .withYoungObjects(takesYoung)
            .withDryRun(dryRun);
    Instant before = snapshotsBefore;
    IcechunkCleanup expiring = before == null ? wanted : wanted.withExpiration(before);
    return collects ? expiring.withCollection(objectsBefore) : expiring;
  }

  private void tell(CommandConsole console, IcechunkCleaned cleaned) {
    StringBuilder text = new StringBuilder();
    if (snapshotsBefore != null) {
      text.append(dryRun ? "Would expire " : "Expired ")
          .append(Quantities.plural(cleaned.snapshots().size(), "snapshot"))
          .append(".\n");
      names(text, "branch", "branches", cleaned.branches());
      names(text, "tag", "tags", cleaned.tags());
    }
    if (collects) {
      IcechunkCleaned.Erased all = cleaned.all();
      text.append(dryRun ? "Would erase " : "Erased ")
          .append(Quantities.plural(all.count(), "object"))
          .append(", ")
          .append(Quantities.bytes(all.bytes()))
          .append(all.count() == 0 ? "" : ": ")
          .append(
              cleaned.objects().entrySet().stream()
                  .filter(kind -> kind.getValue().count() > 0)
                  .map(kind -> kind(kind.getKey(), kind.getValue().count()))
                  .collect(Collectors.joining(", ")))
          .append(".\n");
    }
    if (dryRun) {
      console.out().print(text.toString());
    } else {
      console.note(text.toString().stripTrailing());
    }
  }

  private static String kind(String directory, long count) {
    Noun noun = NOUNS.getOrDefault(directory, new Noun("other object", "other objects"));
    return Quantities.number(BigInteger.valueOf(count))
        + " "
        + (count == 1 ? noun.one() : noun.many());
  }

  private void names(StringBuilder text, String one, String many, List<String> names) {
    if (!names.isEmpty()) {
      text.append(dryRun ? "Would delete the " : "Deleted the ")
          .append(names.size() == 1 ? one : many)
          .append(' ')
          .append(names.stream().map(Printable::of).collect(Collectors.joining(", ")))
          .append(".\n");
    }
  }
}
