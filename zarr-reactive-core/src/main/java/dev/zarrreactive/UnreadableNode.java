package dev.zarrreactive;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * A node that exists but cannot be opened: its metadata break a rule, or name an unknown data type,
 * codec or other extension, or the store denies access. A listing emits it in its place among the
 * others, with the error of opening it.
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

  /** The error of opening this node, with its location. */
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
   * The readable metadata: the metadata of the array if only their meaning is unknown; else an
   * {@link dev.zarrreactive.metadata.UnreadableMetadata} with the document as far as it is JSON.
   */
  @Override
  public NodeMetadata metadata() {
    return metadata;
  }

  /** Always fails with {@link #error()}, since unreadable metadata are never changed. */
  @Override
  public Mono<ZarrNode> updateAttributes(UnaryOperator<JsonObject> change) {
    return Mono.error(error);
  }

  @Override
  public String toString() {
    return "unreadable node " + path + " in " + store + ": " + error.statement();
  }
}
