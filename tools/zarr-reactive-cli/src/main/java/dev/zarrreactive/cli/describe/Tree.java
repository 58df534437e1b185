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

  private static final String PROBLEM = "cannot be opened:";

  /** The least lengths of what is cut or broken. */
  private static final int SHORTEST_TYPE = 8;

  private static final int SHORTEST_LINE = 20;

  private final boolean colour;
  private final int length;
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
    this.length = terminal.lineLength();
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
      int room = length - before.length() - name.length() - gap.length();
      return Flux.just(before + Style.ARRAY.of(name, colour) + gap + kind(array, room));
    }
    if (node instanceof UnreadableNode unreadable) {
      String start = before + name + gap;
      return problem(unreadable, start, below + " ".repeat(start.length() - below.length()));
    }
    Flux<String> children = depth > 0 ? children((ZarrGroup) node, below, depth) : Flux.empty();
    return children.startWith(before + Style.GROUP.of(name, colour));
  }

  private static String name(ZarrNode node) {
    return Printable.of(node.path().name());
  }

  /** Returns the type and the shape of an array; a terminal without room for both cuts the type. */
  private String kind(ZarrArray array, int room) {
    String shape = array.shape().toString();
    int left = Math.max(SHORTEST_TYPE, room - 1 - shape.length());
    return Printable.cut(array.dataType().toString(), left) + " " + Style.FAINT.of(shape, colour);
  }

  /** Returns the reason that a node cannot be opened, broken at spaces. */
  private Flux<String> problem(UnreadableNode node, String start, String indent) {
    String sentence = PROBLEM + " " + Printable.of(node.error().statement());
    int room = Math.max(SHORTEST_LINE, length - start.length());
    List<String> lines = TextColumns.wrapped(sentence, "", room);
    return Flux.range(0, lines.size())
        .map(
            i ->
                i > 0
                    ? indent + lines.get(i)
                    : start + lines.get(i).replace(PROBLEM, Style.ERROR.of(PROBLEM, colour)));
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
