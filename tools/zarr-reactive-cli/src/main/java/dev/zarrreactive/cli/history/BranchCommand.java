package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.console.CommandConsole;
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
public final class BranchCommand extends RefCommand {
  @Parameters(index = "1", paramLabel = "NAME", description = "The branch.")
  private String name;

  @Option(names = "--delete", description = "Delete the branch.")
  private boolean delete;

  @Option(names = "--reset", description = "Let a branch that is there lead to the version.")
  private boolean reset;

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (delete && reset) {
      throw new ParameterException(
          spec().commandLine(), "--delete and --reset cannot both be wanted");
    }
    return super.execute(console);
  }

  @Override
  Mono<String> change(IcechunkRepository repository, IcechunkVersion version) {
    if (delete) {
      return repository.deleteBranch(name).map(now -> "Deleted the branch " + name + ".");
    }
    return (reset ? repository.resetBranch(name, version) : repository.createBranch(name, version))
        .flatMap(now -> now.snapshot(IcechunkVersion.branch(name)))
        .map(snapshot -> "The branch " + name + " leads to " + snapshot.id() + ".");
  }
}
