package dev.zarrreactive.cli.console;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrNode;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/** The nodes that a command has shown: their warnings, and how many cannot be opened. */
public final class SeenNodes {
  private final Warnings warnings;
  private final AtomicLong unreadable = new AtomicLong();

  /** Creates the record of no nodes. */
  public SeenNodes(Warnings warnings) {
    this.warnings = warnings;
  }

  /** Takes note of a node, on any thread. */
  public void see(ZarrNode node) {
    warnings.see(node);
    if (node instanceof UnreadableNode) {
      unreadable.incrementAndGet();
    }
  }

  /** Completes, or fails if a node cannot be opened. */
  public Mono<Void> end() {
    return Mono.defer(
        () ->
            unreadable.get() == 0
                ? Mono.empty()
                : Mono.error(
                    new CommandFailure(
                        Quantities.plural(unreadable.get(), "node") + " cannot be opened")));
  }
}
