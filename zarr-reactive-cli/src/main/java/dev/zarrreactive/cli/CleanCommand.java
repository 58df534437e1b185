package dev.zarrreactive.cli;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.LocalLocation;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.file.Leftover;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import reactor.core.publisher.Mono;

/** {@code zarr clean}. */
@Command(
    name = "clean",
    headerHeading = "Example: zarr clean earth.zarr --dry-run%n",
    description = {
      "Removes the hidden files of writers that died.",
      "A file is kept while its writer still runs."
    })
final class CleanCommand extends Operation {
  @ParentCommand private ZarrCommand command;

  @Parameters(paramLabel = "PATH", description = "A directory of this machine.")
  private String path;

  @Option(names = "--dry-run", description = "Only list the files.")
  private boolean dryRun;

  @Override
  ZarrCommand command() {
    return command;
  }

  @Override
  String subject() {
    return LocationText.shown(path);
  }

  @Override
  Mono<Void> execute(CommandConsole console) {
    FileSystemStore store = FileSystemStore.open(directory());
    return store
        .leftovers()
        .collectList()
        .flatMap(
            found ->
                dryRun
                    ? Mono.just(listing(found))
                    : store.clean().map(removed -> summary(removed, found)))
        .publishOn(console.thread())
        .doOnNext(console.out()::print)
        .then();
  }

  private Path directory() {
    if (!LocationText.isLocal(path)) {
      throw new CommandFailure(
          "clean is for directories of this machine; servers keep no such files");
    }
    Path directory = LocalLocation.path(path);
    if (!Files.isDirectory(directory)) {
      throw new CommandFailure("no such directory");
    }
    return directory;
  }

  private static String listing(List<Leftover> found) {
    StringBuilder lines = new StringBuilder();
    for (Leftover file : found) {
      lines.append(Printable.of(file.path())).append("  ");
      lines.append(Quantities.bytes(file.size())).append('\n');
    }
    return lines.append(sentence("Would remove ", found.size(), found)).toString();
  }

  private static String summary(long removed, List<Leftover> found) {
    return sentence("Removed ", removed, found);
  }

  private static String sentence(String verb, long count, List<Leftover> found) {
    long bytes = found.stream().mapToLong(Leftover::size).sum();
    return verb
        + Quantities.plural(count, "file")
        + " of dead writers, "
        + Quantities.bytes(bytes)
        + ".\n";
  }
}
