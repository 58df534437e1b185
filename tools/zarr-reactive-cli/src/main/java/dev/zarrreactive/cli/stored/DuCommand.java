package dev.zarrreactive.cli.stored;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.console.SeenNodes;
import dev.zarrreactive.cli.describe.TextColumns;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.internal.planning.SaturatingSize;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr du}. */
@Command(
    name = "du",
    headerHeading = "Example: zarr du s3://bucket/earth.zarr --anonymous%n",
    description = "Tells the stored bytes and chunks of each array, by one listing.")
public final class DuCommand extends NodeOperation {
  /** The columns that stay on a narrow terminal: path and size. */
  private static final int KEPT = 2;

  @Mixin private final NodeGlobs globs = new NodeGlobs();

  @Option(names = "--json", description = "Print each array as a JSON object on a line.")
  private boolean json;

  /** What is stored of an array; used by one subscription, signal by signal. */
  private static final class Stored {
    private final ZarrArray array;
    private final ArrayKeys keys;
    private long chunks;
    private long chunkBytes;
    private long bytes;
    private boolean areSizesKnown = true;

    Stored(ZarrArray array) {
      this.array = array;
      this.keys = ArrayKeys.of(array);
    }

    void add(ListEntry.Key value) {
      long size = value.isSizeKnown() ? value.size() : 0;
      areSizesKnown &= value.isSizeKnown();
      bytes += size;
      if (value.key().value().startsWith(keys.prefix().value())
          && keys.index(value.key()) != null) {
        chunks++;
        chunkBytes += size;
      }
    }

    private BigInteger grid() {
      return array.chunkGrid().gridShape().elementCount();
    }

    private String size(long size) {
      return areSizesKnown ? Quantities.bytes(size) : "at least " + Quantities.bytes(size);
    }

    List<String> row(String path) {
      return List.of(path, size(bytes), chunksText(), ratio());
    }

    private String chunksText() {
      return Quantities.number(BigInteger.valueOf(chunks))
          + " of "
          + Quantities.plural(grid(), "chunk");
    }

    /** Returns how many times larger the elements of the stored chunks are than these. */
    private String ratio() {
      long chunk = SaturatingSize.bytes(array.chunkGrid().largestChunkShape(), array.dataType());
      if (chunkBytes == 0 || !areSizesKnown || chunks == 0) {
        return "";
      }
      BigDecimal whole =
          BigDecimal.valueOf(chunk)
              .multiply(BigDecimal.valueOf(chunks))
              .min(
                  BigDecimal.valueOf(SaturatingSize.bytes(array.shape(), array.dataType()))
                      .max(BigDecimal.ONE));
      return "ratio "
          + whole.divide(BigDecimal.valueOf(chunkBytes), 2, RoundingMode.HALF_UP).toPlainString();
    }

    JsonObject json(String path) {
      JsonObject object =
          JsonObject.EMPTY
              .with("path", path)
              .with("stored_chunks", chunks)
              .with("chunks", SaturatingSize.count(array.chunkGrid().gridShape()));
      return areSizesKnown ? object.with("bytes", bytes).with("chunk_bytes", chunkBytes) : object;
    }
  }

  /** The arrays below a node, and what a listing has found of each. */
  private static final class Usage {
    private final Map<String, Stored> arrays = new TreeMap<>();
    private long others;
    private long otherBytes;
    private long all;
    private boolean areSizesKnown = true;

    void add(ListEntry.Key value) {
      areSizesKnown &= value.isSizeKnown();
      all += value.isSizeKnown() ? value.size() : 0;
      Stored array = of(value.key().value());
      if (array == null) {
        others++;
        otherBytes += value.isSizeKnown() ? value.size() : 0;
      } else {
        array.add(value);
      }
    }

    /** Returns the array that a key lies below; null for a file of no array. */
    private @Nullable Stored of(String key) {
      for (int end = key.lastIndexOf('/'); end >= 0; end = key.lastIndexOf('/', end - 1)) {
        Stored found = arrays.get("/" + key.substring(0, end));
        if (found != null) {
          return found;
        }
      }
      return arrays.get("/");
    }
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> count(WebListing.of(place), console));
  }

  private Mono<Void> count(NodePlace place, CommandConsole console) {
    SeenNodes seen = new SeenNodes(command().warnings());
    return withWarnings(place.openOrDirectory())
        .flatMapMany(node -> node instanceof ZarrGroup group ? group.tree() : Flux.just(node))
        .doOnNext(seen::see)
        .filter(ZarrArray.class::isInstance)
        .cast(ZarrArray.class)
        .collectSortedList(Comparator.comparing(ZarrNode::path))
        .flatMap(arrays -> list(place, arrays))
        .publishOn(console.thread())
        .doOnNext(usage -> print(place, usage, console))
        .then(seen.end());
  }

  private static Mono<Usage> list(NodePlace place, List<ZarrArray> arrays) {
    Usage usage = new Usage();
    arrays.forEach(array -> usage.arrays.put(array.path().value(), new Stored(array)));
    return WebListing.measured(
            place.hierarchy().store(),
            HierarchyRequests.of(place.hierarchy()).listValues(NodePath.of(place.node()).prefix()))
        .doOnNext(usage::add)
        .onErrorMap(
            StoreCapabilityException.class,
            error ->
                new CommandFailure(
                    "this store cannot list, so sizes are unknown; zarr info tells what one array"
                        + " would have",
                    error))
        .then(Mono.just(usage));
  }

  private void print(NodePlace place, Usage usage, CommandConsole console) {
    PathGlobs choice = globs.choice();
    NodePath top = NodePath.of(place.node());
    List<List<String>> rows = new ArrayList<>();
    usage.arrays.forEach(
        (path, stored) -> {
          String below = top.relativize(NodePath.of(path));
          if (choice.accepts(below)) {
            String shown = below.isEmpty() ? "/" : "/" + below;
            if (json) {
              console.out().println(stored.json(shown).toString());
            }
            rows.add(stored.row(shown));
          }
        });
    if (json) {
      return;
    }
    if (usage.others > 0 && choice.acceptsAll()) {
      rows.add(
          List.of(
              "other files",
              Quantities.bytes(usage.otherBytes),
              Quantities.plural(usage.others, "file"),
              ""));
    }
    alignRight(rows);
    new TextColumns(colours().isOn())
        .fitted(rows, "", KEPT, console.terminal().lineLength())
        .forEach(console.out()::println);
    if (choice.acceptsAll()) {
      console
          .out()
          .println(
              Printable.of(
                  (usage.areSizesKnown ? "" : "at least ")
                      + Quantities.bytes(usage.all)
                      + " in all"));
    }
  }

  /** Puts the sizes under each other. */
  private static void alignRight(List<List<String>> rows) {
    int width = rows.stream().mapToInt(row -> row.get(1).length()).max().orElse(0);
    rows.replaceAll(
        row ->
            List.of(
                row.get(0),
                " ".repeat(width - row.get(1).length()) + row.get(1),
                row.get(2),
                row.get(3)));
  }
}
