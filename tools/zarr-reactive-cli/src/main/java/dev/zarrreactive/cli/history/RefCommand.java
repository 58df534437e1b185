package dev.zarrreactive.cli.history;

import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkVersion;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** A command that changes a branch or a tag of a repository, and says in a sentence how. */
abstract class RefCommand extends Subcommand {
  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "A repository, or a version of it (|icechunk:).")
  private String path;

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

  /** Changes the branch or the tag; emits the sentence for the user. */
  abstract Mono<String> change(IcechunkRepository repository, IcechunkVersion version);
}
