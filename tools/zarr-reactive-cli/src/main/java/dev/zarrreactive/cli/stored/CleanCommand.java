package dev.zarrreactive.cli.stored;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.LocalLocation;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.options.TimeConverter;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LeftoverStore;
import dev.zarrreactive.store.LeftoverStore.Leftover;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr clean}. */
@Command(
    name = "clean",
    headerHeading = "Example: zarr clean earth.zarr --dry-run%n",
    description = {
      "Removes what writers that died have left: hidden files, or unfinished uploads in S3,"
          + " Azure and Google's cloud.",
      "A file is kept while its writer still runs; an upload is kept for a day."
    })
public final class CleanCommand extends Subcommand {
  @Parameters(
      paramLabel = "PATH",
      description = "A directory of this machine, or a URL of S3, Azure or Google.")
  private String path;

  @Option(names = "--dry-run", description = "Only list what would be removed.")
  private boolean dryRun;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "1d",
      converter = TimeConverter.class,
      description = "Keep uploads that are younger (default: ${DEFAULT-VALUE}).")
  private Duration age;

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
    return Mono.usingWhen(
            LocationText.isLocal(path) ? Mono.fromSupplier(this::directory) : remote(),
            store -> clean(leftovers(store)).publishOn(console.thread()),
            Store::close)
        .doOnNext(
            text -> {
              if (dryRun) {
                console.out().print(text);
              } else {
                console.note(text.stripTrailing());
              }
            })
        .then();
  }

  private Mono<String> clean(LeftoverStore store) {
    return store
        .leftovers(age)
        .collectList()
        .flatMap(
            found ->
                dryRun
                    ? Mono.just(listing(found))
                    : store.clean(age).map(removed -> sentence("Removed ", removed, found)));
  }

  private Mono<Store> remote() {
    return Zarr.at(LocationText.url(path).toString())
        .withStoreOptions(command().storeSettings(spec()).checkedFor(path).of(path))
        .store();
  }

  /** Returns the store below its decorators that knows what dead writers have left. */
  private static LeftoverStore leftovers(Store store) {
    Store below = store;
    while (!(below instanceof LeftoverStore) && below instanceof DelegatingStore decorator) {
      below = decorator.delegate();
    }
    if (below instanceof LeftoverStore found) {
      return found;
    }
    throw new CommandFailure("in this store writers that died leave nothing");
  }

  private Store directory() {
    Path directory = LocalLocation.path(path);
    if (!Files.isDirectory(directory)) {
      throw new CommandFailure("no such directory");
    }
    return FileSystemStore.open(directory);
  }

  private String listing(List<Leftover> found) {
    StringBuilder lines = new StringBuilder();
    for (Leftover left : found) {
      lines.append(Printable.of(left.path())).append("  ");
      lines.append(Quantities.bytes(left.size())).append('\n');
    }
    return lines.append(sentence("Would remove ", found.size(), found)).toString();
  }

  private String sentence(String verb, long count, List<Leftover> found) {
    long bytes = found.stream().mapToLong(Leftover::size).sum();
    return verb
        + Quantities.plural(count, LocationText.isLocal(path) ? "file" : "upload")
        + " of dead writers, "
        + Quantities.bytes(bytes)
        + ".\n";
  }
}
