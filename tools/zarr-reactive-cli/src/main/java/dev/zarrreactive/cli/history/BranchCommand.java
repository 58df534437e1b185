package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr branch}. */
@Command(
    name = "branch",
    headerHeading = "Example: zarr branch 's3://bucket/repo|icechunk://tag.v1' dev%n",
    description =
        "Makes a branch at a version: at the branch main, unless the location names another.")
public final class BranchCommand extends Subcommand {
  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "A repository, or a version of it (|icechunk:).")
  private String path;

  @Parameters(index = "1", paramLabel = "NAME", description = "The branch.")
  private String name;

  @Option(names = "--delete", description = "Delete the branch.")
  private boolean delete;

  @Option(names = "--reset", description = "Let a branch that is there lead to the version.")
  private boolean reset;

  @Override
  protected String subject() {
    return LocationText.shown(path);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (delete && reset) {
      throw new ParameterException(
          spec().commandLine(), "--delete and --reset cannot both be wanted");
    }
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
      return repository.deleteBranch(name).map(now -> "Deleted the branch " + name + ".");
    }
    return (reset ? repository.resetBranch(name, version) : repository.createBranch(name, version))
        .flatMap(now -> now.snapshot(IcechunkVersion.branch(name)))
        .map(snapshot -> "The branch " + name + " leads to " + snapshot.id() + ".");
  }
}
