package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr tag}. */
@Command(
    name = "tag",
    headerHeading = "Example: zarr tag 's3://bucket/repo|icechunk://branch.dev' v2%n",
    description = {
      "Makes a tag of a version, which never moves: of the branch main, unless the location",
      "names another."
    })
public final class TagCommand extends Subcommand {
  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "A repository, or a version of it (|icechunk:).")
  private String path;

  @Parameters(index = "1", paramLabel = "NAME", description = "The tag.")
  private String name;

  @Option(names = "--delete", description = "Delete the tag.")
  private boolean delete;

  @Override
  protected String subject() {
    return LocationText.shown(path);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    RepositoryLocation location = RepositoryLocation.of(path);
    return location.use(
        command().storeSettings(spec()).checkedFor(path).of(path),
        store ->
            Icechunk.open(store)
                .flatMap(repository -> change(repository, location.version()))
                .publishOn(console.thread())
                .doOnNext(sentence -> console.note(sentence))
                .then());
  }

  private Mono<String> change(IcechunkRepository repository, IcechunkVersion version) {
    if (delete) {
      return repository
          .deleteTag(name)
          .map(now -> "Deleted the tag " + name + "; its name is never used again.");
    }
    return repository
        .createTag(name, version)
        .flatMap(now -> now.snapshot(IcechunkVersion.tag(name)))
        .map(snapshot -> "The tag " + name + " leads to " + snapshot.id() + ".");
  }
}
