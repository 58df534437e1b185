package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.icechunk.Icechunk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr init}. */
@Command(
    name = "init",
    headerHeading = "Example: zarr init s3://bucket/repo%n",
    description = "Makes an Icechunk repository, with the branch main and no nodes.")
public final class InitCommand extends Subcommand {
  @Parameters(paramLabel = "REPO", description = "A new directory, or the URL of one.")
  private String path;

  @Override
  protected String subject() {
    return LocationText.shown(path);
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return RepositoryLocation.of(path)
        .use(
            command().storeSettings(spec()).checkedFor(path).of(path),
            store ->
                Icechunk.create(store)
                    .publishOn(console.thread())
                    .doOnNext(made -> console.note("Made a repository with the branch main."))
                    .then());
  }
}
