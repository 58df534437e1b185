package dev.zarrreactive.cli.copy;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.CopyPlace;
import dev.zarrreactive.cli.stream.ReadBytes;
import dev.zarrreactive.cli.stream.WorkProgress;
import dev.zarrreactive.copy.CopyChange;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.copy.CopyReport;
import dev.zarrreactive.internal.text.Durations;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.NodePath;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Shows the progress of a copy, and its summary at the end. */
public final class CopySummary {
  /** The most changes that are listed for people. */
  private static final int MOST_CHANGES = 20;

  private final ReadBytes read;
  private final Ending ending;
  private final LongSupplier nanos;
  private String node = "";
  private String hierarchy = "";
  private boolean isNewHierarchy;
  private List<String> outdated = List.of();

  /** The form of the summary. */
  public enum Ending {
    /** A sentence on standard error. */
    SENTENCE,
    /** A JSON object on standard output. */
    JSON,
    /** No summary. */
    NOTHING
  }

  /**
   * Creates a summary, to be shown once.
   *
   * @param read the observer of the source
   */
  public CopySummary(ReadBytes read, Ending ending) {
    this(read, ending, System::nanoTime);
  }

  CopySummary(ReadBytes read, Ending ending, LongSupplier nanos) {
    this.read = read;
    this.ending = ending;
    this.nanos = nanos;
  }

  /**
   * Sets the place of the copy.
   *
   * @param above the groups above it that had consolidated metadata
   */
  public void setPlace(CopyPlace place, List<String> above) {
    this.node = place.node();
    this.hierarchy = place.hierarchy();
    this.isNewHierarchy = place.isNewHierarchy();
    this.outdated = List.copyOf(above);
  }

  /** Runs the copy, with a bar if standard error is a terminal, otherwise with lines at times. */
  public Mono<CopyProgress> of(Flux<CopyProgress> copy, CommandConsole console) {
    WorkProgress shown =
        new WorkProgress(console, "copied", read, ending == Ending.SENTENCE, nanos);
    return shown.beside(
        copy.publishOn(console.thread(), 1)
            .doOnNext(
                now -> {
                  boolean isDone = now.chunks() == now.chunksInAll();
                  shown.at(
                      now.node().value(),
                      isDone ? now.bytesInAll() : now.bytes(),
                      now.bytesInAll());
                })
            .last());
  }

  /** Prints the summary. */
  public Mono<Void> finish(CopyProgress end, Duration duration, CommandConsole console) {
    return Mono.<Void>fromRunnable(() -> print(end, duration, console))
        .subscribeOn(console.thread());
  }

  private void print(CopyProgress end, Duration duration, CommandConsole console) {
    List<NodePath> unlisted = end.report().unlistedNodes();
    if (!unlisted.isEmpty()) {
      console.err().println("zarr: warning: " + Printable.of(unlisted(unlisted)));
    }
    switch (ending) {
      case SENTENCE -> {
        console.err().println(sentence(end, duration));
        notes(end.report()).forEach(note -> console.err().println(Printable.of(note)));
      }
      case JSON -> console.out().println(json(end).toString());
      case NOTHING -> {}
    }
  }

  /** Names the nodes that a copy leaves out because no group lists them. */
  private static String unlisted(List<NodePath> nodes) {
    return "left out, because no group lists them: "
        + String.join(", ", nodes.stream().map(NodePath::value).toList())
        + (nodes.size() < CopyReport.MOST_UNLISTED_NODES ? "" : ", and maybe more")
        + "; zarr copy copies each by its own path, and --all-files their files";
  }

  private String sentence(CopyProgress end, Duration duration) {
    String skipped =
        end.chunksSkipped() == 0
            ? ""
            : " ("
                + Quantities.number(BigInteger.valueOf(end.chunksSkipped()))
                + " of them there already)";
    return Quantities.plural(end.nodes(), "node")
        + " with "
        + Quantities.plural(end.chunks(), "chunk")
        + skipped
        + " copied"
        + (node.isEmpty()
            ? ""
            : Printable.of(
                " to "
                    + node
                    + (isNewHierarchy ? " in the new hierarchy " : " in the hierarchy ")
                    + hierarchy))
        + ", "
        + Quantities.bytes(read.bytes())
        + " read, in "
        + Durations.rounded(duration);
  }

  /** Returns further notes for the user, each on a line. */
  private List<String> notes(CopyReport report) {
    List<String> notes = new ArrayList<>();
    List<CopyChange> changes = report.changes();
    for (CopyChange change : changes.subList(0, Math.min(MOST_CHANGES, changes.size()))) {
      notes.add("changed " + change);
    }
    if (changes.size() > MOST_CHANGES) {
      notes.add("changed " + (changes.size() - MOST_CHANGES) + " more; --json lists all");
    }
    if (report.filledChunks() > 0) {
      notes.add(
          Quantities.plural(report.filledChunks(), "chunk")
              + " missing in SRC stored with the fill value, which the copy does not have");
    }
    if (report.foreignFiles() > 0) {
      notes.add(foreign(report));
    }
    for (String group : renewed(report)) {
      notes.add("renewed the consolidated metadata of " + group + ", which list the copy");
    }
    for (String group : removed(report)) {
      notes.add(
          "removed the consolidated metadata of "
              + group
              + ", which does not list the copy; zarr consolidate writes it again");
    }
    return notes;
  }

  /** Returns the groups above whose consolidated metadata were renewed, in the user's words. */
  private List<String> renewed(CopyReport report) {
    return report.consolidated().stream()
        .map(path -> path.isRoot() ? hierarchy : hierarchy + path.value())
        .toList();
  }

  private List<String> removed(CopyReport report) {
    List<String> renewed = renewed(report);
    return outdated.stream().filter(group -> !renewed.contains(group)).toList();
  }

  private static String foreign(CopyReport report) {
    String files = Quantities.plural(report.foreignFiles(), "file") + " below SRC of no node: ";
    return report.foreignFilesCopied() == 0
        ? files + "not copied (--all-files copies them)"
        : files + Quantities.number(BigInteger.valueOf(report.foreignFilesCopied())) + " copied";
  }

  private JsonObject json(CopyProgress end) {
    JsonObject json = numbers(end);
    return node.isEmpty()
        ? json
        : json.with("node", node)
            .with("hierarchy", hierarchy)
            .with("consolidated_metadata_renewed", texts(renewed(end.report())))
            .with("consolidated_metadata_removed", texts(removed(end.report())));
  }

  private static JsonArray texts(List<String> texts) {
    return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
  }

  private JsonObject numbers(CopyProgress end) {
    CopyReport report = end.report();
    JsonObject numbers =
        JsonObject.EMPTY
            .with("nodes", end.nodes())
            .with("chunks", end.chunks())
            .with("chunks_skipped", end.chunksSkipped())
            .with("chunks_filled", report.filledChunks())
            .with("bytes_read", read.bytes())
            .with(
                "changes",
                new JsonArray(report.changes().stream().<JsonValue>map(CopySummary::json).toList()))
            .with(
                "foreign_files",
                report.foreignFiles() == CopyReport.UNKNOWN
                    ? JsonNull.NULL
                    : JsonNumber.of(report.foreignFiles()))
            .with("foreign_files_copied", report.foreignFilesCopied());
    List<NodePath> unlisted = report.unlistedNodes();
    return unlisted.isEmpty()
        ? numbers
        : numbers.with("unlisted_nodes", texts(unlisted.stream().map(NodePath::value).toList()));
  }

  static JsonObject json(CopyChange change) {
    return JsonObject.EMPTY
        .with("node", change.node().value())
        .with("kind", change.kind().name().toLowerCase(Locale.ROOT))
        .with("text", change.text());
  }
}
