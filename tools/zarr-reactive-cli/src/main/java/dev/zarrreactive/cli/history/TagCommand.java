package dev.zarrreactive.cli.history;

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
public final class TagCommand extends RefCommand {
  @Parameters(index = "1", paramLabel = "NAME", description = "The tag.")
  private String name;

  @Option(names = "--delete", description = "Delete the tag.")
  private boolean delete;

  @Override
  Mono<String> change(IcechunkRepository repository, IcechunkVersion version) {
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
