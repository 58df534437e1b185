package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Style;
import dev.zarrreactive.cli.console.Terminal;
import dev.zarrreactive.internal.flow.Concurrently;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** A hierarchy drawn with lines: depth first, the children of a group by name. */
public final class Tree {
  /** The number of groups that are listed at a time. */
  private static final int CONCURRENCY = 8;

  private final boolean colour;
  private final String branch;
  private final String lastBranch;
  private final String trunk;
  private final Consumer<ZarrNode> onNode;

  /** Creates a tree in box characters, if the terminal has them. */
  public Tree(Terminal terminal, boolean colour) {
    this(terminal, colour, node -> {});
  }

  /**
   * Creates a tree in box characters, if the terminal has them.
   *
   * @param onNode is called with every node that is drawn, on any thread
   */
  public Tree(Terminal terminal, boolean colour, Consumer<ZarrNode> onNode) {
    this.onNode = onNode;
    boolean boxes = terminal.canShow("├──└│");
    this.colour = colour;
    this.branch = boxes ? "├── " : "|-- ";
    this.lastBranch = boxes ? "└── " : "`-- ";
    this.trunk = boxes ? "│   " : "|   ";
  }

  /**
   * Emits the lines of {@code root} and the nodes below it, under demand.
   *
   * @param name the name of the root
   * @param depth the number of levels shown below the root
   */
  public Flux<String> lines(String name, ZarrNode root, int depth) {
    return node(Printable.of(name), 0, root, "", "", depth);
  }

  private Flux<String> node(
      String name, int width, ZarrNode node, String before, String below, int depth) {
    onNode.accept(node);
    String gap = " ".repeat(Math.max(0, width - name.length()) + 2);
    if (node instanceof ZarrArray array) {
      return Flux.just(before + Style.ARRAY.of(name, colour) + gap + kind(array));
    }
    if (node instanceof UnreadableNode unreadable) {
      return Flux.just(before + name + gap + problem(unreadable));
    }
    Flux<String> children = depth > 0 ? children((ZarrGroup) node, below, depth) : Flux.empty();
    return children.startWith(before + Style.GROUP.of(name, colour));
  }

  private static String name(ZarrNode node) {
    return Printable.of(node.path().name());
  }

  private String kind(ZarrArray array) {
    return array.dataType() + " " + Style.FAINT.of(array.shape().toString(), colour);
  }

  private String problem(UnreadableNode node) {
    return Style.ERROR.of("cannot be opened:", colour)
        + " "
        + Printable.of(node.error().statement());
  }

  private Flux<String> children(ZarrGroup group, String below, int depth) {
    return group
        .children()
        .collectSortedList(Comparator.comparing(ZarrNode::path))
        .flatMapMany(children -> children(children, below, depth));
  }

  private Flux<String> children(List<ZarrNode> children, String below, int depth) {
    int width =
        children.stream()
            .filter(child -> !(child instanceof ZarrGroup))
            .mapToInt(child -> name(child).length())
            .max()
            .orElse(0);
    ZarrNode last = children.isEmpty() ? null : children.get(children.size() - 1);
    return Concurrently.mapInOrder(
        Flux.fromIterable(children),
        CONCURRENCY,
        child ->
            node(
                name(child),
                width,
                child,
                below + (child == last ? lastBranch : branch),
                below + (child == last ? "    " : trunk),
                depth - 1));
  }
}
