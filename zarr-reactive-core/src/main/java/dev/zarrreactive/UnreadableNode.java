package dev.zarrreactive;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * A node that is there and cannot be opened: its metadata break a rule, or name a data type, a
 * codec or anything else that nobody knows here. A listing gives it in its place among the others,
 * with the error that opening it ends in.
 */
public final class UnreadableNode implements ZarrNode {
  private final Store store;
  private final NodePath path;
  private final NodeMetadata metadata;
  private final ZarrException error;

  UnreadableNode(Store store, NodePath path, NodeMetadata metadata, ZarrException error) {
    this.store = store;
    this.path = path;
    this.metadata = metadata;
    this.error = error;
  }

  /** What opening this node ends in: what is wrong, and where. */
  public ZarrException error() {
    return error;
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public NodePath path() {
    return path;
  }

  /**
   * What could be read: the metadata of the array where only their meaning is unknown; else an
   * {@link dev.zarrreactive.metadata.UnreadableMetadata} with the document as far as it is JSON.
   */
  @Override
  public NodeMetadata metadata() {
    return metadata;
  }

  /** Always {@link #error()}: what cannot be read is not changed. */
  @Override
  public Mono<ZarrNode> updateAttributes(UnaryOperator<JsonObject> change) {
    return Mono.error(error);
  }

  @Override
  public String toString() {
    return "unreadable node " + path + " in " + store + ": " + error.statement();
  }
}
