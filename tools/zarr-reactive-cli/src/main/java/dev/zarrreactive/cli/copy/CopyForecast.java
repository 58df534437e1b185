package dev.zarrreactive.cli.copy;

import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.copy.CopyChange;
import dev.zarrreactive.copy.CopyOutline;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Says what a copy would do, for a dry run. */
public final class CopyForecast {
  private final CopyOutline outline;
  private final boolean json;
  private final Optional<CommitForecast> commit;

  /**
   * Creates the forecast of a copy.
   *
   * @param json whether it is printed as JSON
   * @param commit the commit that the copy would be; empty where it would be none
   */
  public CopyForecast(CopyOutline outline, boolean json, Optional<CommitForecast> commit) {
    this.outline = outline;
    this.json = json;
    this.commit = commit;
  }

  /** Prints the nodes and their sum on standard output. */
  public void print(CommandConsole console) {
    if (json) {
      console.out().println(json().toString());
      return;
    }
    List<CopyOutline.Node> nodes = new ArrayList<>(outline.nodes());
    nodes.sort(Comparator.comparing(CopyOutline.Node::path));
    for (CopyOutline.Node node : nodes) {
      console.out().println(Printable.of(line(node)));
    }
    for (CopyChange change : outline.changes()) {
      console.out().println(Printable.of("would change " + change));
    }
    console.out().println(sum());
    commit.ifPresent(forecast -> console.out().println(forecast.text()));
  }

  private static String line(CopyOutline.Node node) {
    String path = node.path().value();
    return node.metadata() instanceof ArrayMetadata array
        ? path
            + "  "
            + array.dataType()
            + " "
            + array.shape()
            + ", "
            + sizes(
                BigInteger.valueOf(node.chunks()),
                BigInteger.valueOf(node.bytes()),
                node.storedChunks() == CopyOutline.UNKNOWN
                    ? null
                    : BigInteger.valueOf(node.storedChunks()),
                BigInteger.valueOf(node.storedBytes()))
        : path + "  group";
  }

  private static String sizes(
      BigInteger chunks, BigInteger bytes, @Nullable BigInteger stored, BigInteger storedBytes) {
    return Quantities.plural(chunks, "chunk")
        + " of "
        + Quantities.bytes(bytes)
        + (stored == null
            ? ""
            : "; "
                + Quantities.number(stored)
                + " stored in SRC, "
                + Quantities.bytes(storedBytes));
  }

  private String sum() {
    boolean known =
        outline.nodes().stream().noneMatch(node -> node.storedChunks() == CopyOutline.UNKNOWN);
    return "Would copy "
        + Quantities.plural(outline.nodes().size(), "node")
        + " with "
        + sizes(
            sum(CopyOutline.Node::chunks),
            sum(CopyOutline.Node::bytes),
            known ? sum(CopyOutline.Node::storedChunks) : null,
            sum(CopyOutline.Node::storedBytes))
        + ".";
  }

  private BigInteger sum(ToLongFunction<CopyOutline.Node> part) {
    return outline.nodes().stream()
        .map(node -> BigInteger.valueOf(part.applyAsLong(node)))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private JsonObject json() {
    JsonObject all =
        JsonObject.EMPTY
            .with(
                "nodes",
                new JsonArray(outline.nodes().stream().<JsonValue>map(CopyForecast::json).toList()))
            .with(
                "changes",
                new JsonArray(
                    outline.changes().stream().<JsonValue>map(CopySummary::json).toList()));
    return commit.map(forecast -> all.with("commit", forecast.json())).orElse(all);
  }

  private static JsonObject json(CopyOutline.Node node) {
    JsonObject json =
        JsonObject.EMPTY
            .with("source", node.source().value())
            .with("path", node.path().value())
            .with("node_type", node.metadata() instanceof ArrayMetadata ? "array" : "group");
    return node.metadata() instanceof ArrayMetadata
        ? json.with("chunks", node.chunks())
            .with("bytes", node.bytes())
            .with("stored_chunks", known(node.storedChunks()))
            .with("stored_bytes", known(node.storedBytes()))
        : json;
  }

  private static JsonValue known(long number) {
    return number == CopyOutline.UNKNOWN ? JsonNull.NULL : JsonNumber.of(number);
  }
}
