package dev.zarrreactive.cli.options;

import dev.zarrreactive.internal.copying.PathGlobs;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for some of the nodes below PATH. */
public final class NodeGlobs {
  @Option(
      names = "--include",
      paramLabel = "GLOB",
      description = "Only the nodes at such paths and below, as **/t*.")
  private List<String> include = new ArrayList<>();

  @Option(names = "--exclude", paramLabel = "GLOB", description = "Leave out such nodes.")
  private List<String> exclude = new ArrayList<>();

  /** Returns the globs to include. */
  public String[] included() {
    return include.toArray(String[]::new);
  }

  /** Returns the globs to leave out. */
  public String[] excluded() {
    return exclude.toArray(String[]::new);
  }

  /** Returns the choice among paths relative to PATH. */
  public PathGlobs choice() {
    return new PathGlobs(include, exclude);
  }
}
