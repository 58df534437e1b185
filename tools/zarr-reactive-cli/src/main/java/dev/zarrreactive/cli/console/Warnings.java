package dev.zarrreactive.cli.console;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.store.StoreCapability;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The warnings of nodes, printed to standard error, each text once. */
public final class Warnings {
  private final CommandConsole console;
  private final Queue<String> untold = new ConcurrentLinkedQueue<>();
  private final Set<String> told = new HashSet<>();

  /** Creates a record without warnings. */
  public Warnings(CommandConsole console) {
    this.console = console;
  }

  /**
   * Collects what a user of {@code node} must know, on any thread: the deviations that an option
   * accepts, and consolidated metadata that may hide nodes.
   */
  public void see(ZarrNode node) {
    node.warnings().stream()
        .filter(warning -> warning.leniency().isByOption())
        .forEach(warning -> untold.add(warning.toString()));
    if (node instanceof ZarrGroup group
        && group.metadata().consolidated() != null
        && !node.store().capabilities().contains(StoreCapability.LIST)) {
      MetadataException problem = group.metadata().consolidatedProblem();
      if (problem != null) {
        untold.add(
            "the consolidated metadata are broken, and nodes may be missing: "
                + problem.getMessage());
      }
    }
  }

  /** Collects every warning of {@code node}, on any thread. */
  public void seeAll(ZarrNode node) {
    node.warnings().forEach(warning -> untold.add(warning.toString()));
  }

  /** Collects a warning, on any thread. */
  public void add(String warning) {
    untold.add(warning);
  }

  /** Prints the new warnings, on the console's thread. */
  public void print(boolean colour) {
    String prefix = Style.WARNING.of("zarr: warning:", colour) + " ";
    for (String text = untold.poll(); text != null; text = untold.poll()) {
      if (told.add(text)) {
        console.err().println(prefix + Printable.of(text));
      }
    }
    console.err().flush();
  }
}
