package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.ChangedNodes;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkChanges;
import dev.zarrreactive.icechunk.IcechunkRef;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.StoreOptions;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr history}. */
@Command(
    name = "history",
    headerHeading = "Example: zarr history 's3://bucket/repo|icechunk://branch.dev' --changes%n",
    description = {
      "Lists the branches and tags of an Icechunk repository, and the snapshots of a version,",
      "newest first: of the branch main, unless the location names another."
    })
public final class HistoryCommand extends Subcommand {
  /** The snapshots whose changes are asked for at a time. */
  private static final int TOGETHER = 8;

  /** Where the message stands behind the identifier and the time, and paths behind their change. */
  private static final int MESSAGE = 44;

  private static final int CHANGED = 13;

  @Parameters(paramLabel = "PATH", description = "A repository, or a version of it (|icechunk:).")
  private String path;

  @Option(names = "--changes", description = "Show what each commit has changed.")
  private boolean changes;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "COUNT",
      description = "Show at most so many snapshots.")
  private @Nullable Integer count;

  @Option(names = "--json", description = "Print each snapshot as a JSON object on a line.")
  private boolean json;

  @Override
  protected String subject() {
    return LocationText.shown(path);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (count != null && count < 1) {
      throw new ParameterException(spec().commandLine(), "--count is at least 1");
    }
    StoreOptions options = command().storeSettings(spec()).checkedFor(path).of(path);
    RepositoryLocation location = RepositoryLocation.of(path);
    return location.use(
        options,
        store ->
            Icechunk.open(store)
                .flatMap(repository -> print(repository, location.version(), console)));
  }

  private Mono<Void> print(
      IcechunkRepository repository, IcechunkVersion version, CommandConsole console) {
    return Mono.zip(listed(repository.branches()), listed(repository.tags()))
        .flatMap(
            refs -> {
              List<IcechunkRef> branches = refs.getT1();
              List<IcechunkRef> tags = refs.getT2();
              Flux<String> lines =
                  Concurrently.mapInOrder(
                      chosen(repository.history(version)),
                      TOGETHER,
                      snapshot ->
                          changes(repository, snapshot)
                              .map(done -> text(snapshot, branches, tags, done)));
              return lines
                  .publishOn(console.thread())
                  .switchOnFirst(
                      (first, all) -> {
                        if (first.hasValue() && !json && !branches.isEmpty()) {
                          console.out().print(heads(branches, tags));
                        }
                        return all;
                      })
                  .map(text -> json ? text : fitted(text, console.terminal().lineLength()))
                  .doOnNext(console.out()::println)
                  .then();
            });
  }

  /** Emits the names; none for a repository of version 1 in a store that cannot list them. */
  private Mono<List<IcechunkRef>> listed(Flux<IcechunkRef> refs) {
    return refs.collectList()
        .onErrorResume(
            StoreCapabilityException.class,
            e -> {
              warn("branches and tags are unknown: " + e.statement());
              return Mono.just(List.of());
            });
  }

  private Flux<IcechunkSnapshot> chosen(Flux<IcechunkSnapshot> history) {
    return count == null ? history : history.take(count);
  }

  private Mono<Optional<IcechunkChanges>> changes(
      IcechunkRepository repository, IcechunkSnapshot snapshot) {
    return changes
        ? repository.changes(IcechunkVersion.snapshot(snapshot.id())).map(Optional::of)
        : Mono.just(Optional.empty());
  }

  private static String heads(List<IcechunkRef> branches, List<IcechunkRef> tags) {
    StringBuilder lines = new StringBuilder();
    branches.forEach(each -> lines.append(head("branch", each)));
    tags.forEach(each -> lines.append(head("tag", each)));
    return lines.append('\n').toString();
  }

  private static String head(String kind, IcechunkRef ref) {
    return String.format("%-8s%s  %s%n", kind, ref.snapshot(), Printable.of(ref.name()));
  }

  private String text(
      IcechunkSnapshot snapshot,
      List<IcechunkRef> branches,
      List<IcechunkRef> tags,
      Optional<IcechunkChanges> done) {
    return json
        ? object(snapshot, branches, tags, done).toString()
        : line(snapshot) + done.map(ChangedNodes::lines).orElse("");
  }

  private static String line(IcechunkSnapshot snapshot) {
    return snapshot.id()
        + "  "
        + snapshot.time().truncatedTo(ChronoUnit.SECONDS)
        + "  "
        + Printable.of(snapshot.message());
  }

  /** Breaks the message, and lines of changes, which begin with a space, at the given length. */
  private static String fitted(String text, int length) {
    return text.lines()
        .map(line -> broken(line, line.startsWith(" ") ? CHANGED : MESSAGE, length))
        .collect(Collectors.joining("\n"));
  }

  private static String broken(String line, int indent, int length) {
    return String.join("\n", TextColumns.wrapped(line, " ".repeat(indent), length));
  }

  private static JsonObject object(
      IcechunkSnapshot snapshot,
      List<IcechunkRef> branches,
      List<IcechunkRef> tags,
      Optional<IcechunkChanges> done) {
    JsonObject object = JsonObject.EMPTY.with("id", snapshot.id());
    if (snapshot.parent() != null) {
      object = object.with("parent", snapshot.parent());
    }
    object =
        object
            .with("time", snapshot.time().toString())
            .with("message", snapshot.message())
            .with("metadata", snapshot.metadata())
            .with("branches", names(branches, snapshot))
            .with("tags", names(tags, snapshot));
    return done.isPresent() ? object.with("changes", ChangedNodes.json(done.get())) : object;
  }

  private static JsonArray names(List<IcechunkRef> refs, IcechunkSnapshot snapshot) {
    return ChangedNodes.texts(
        refs.stream()
            .filter(each -> each.snapshot().equals(snapshot.id()))
            .map(IcechunkRef::name)
            .toList());
  }
}
