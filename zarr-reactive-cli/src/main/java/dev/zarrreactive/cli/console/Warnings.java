package dev.zarrreactive.cli.console;

import dev.zarrreactive.ZarrNode;
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

  /** Collects the warnings of {@code node}, on any thread. */
  public void see(ZarrNode node) {
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
