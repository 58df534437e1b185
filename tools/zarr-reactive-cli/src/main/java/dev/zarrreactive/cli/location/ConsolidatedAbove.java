package dev.zarrreactive.cli.location;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.MetadataLimits;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store that cannot list, at a group. If the group lacks consolidated metadata, its document gets
 * the part of them that the nearest group above has, so that the nodes below are known.
 */
final class ConsolidatedAbove extends DelegatingStore {
  /** The levels above that are looked at, all at the same time. */
  private static final int LEVELS = 8;

  /** A group's own document with a longer text has consolidated metadata. */
  private static final int LONGEST = 1 << 20;

  private static final StoreKey DOCUMENT = StoreKey.of(NodePath.DOCUMENT);
  private static final StoreKey OF_V2 = StoreKey.of(NodePath.V2_CONSOLIDATED);
  private static final String CONSOLIDATED = "consolidated_metadata";
  private static final String NODES = "metadata";

  private final List<RemoteLocation> above;
  private final Function<RemoteLocation, Mono<Store>> opening;

  /**
   * Creates the store.
   *
   * @param above the locations of the node as they are seen from URLs above, the nearest first
   * @param opening opens the store of such a URL
   */
  ConsolidatedAbove(
      Store store, List<RemoteLocation> above, Function<RemoteLocation, Mono<Store>> opening) {
    super(store);
    this.above = above;
    this.opening = opening;
  }

  /** Documents are no chunks, so that no part of an object is one of them. */
  @Override
  public @Nullable LocatedValues located() {
    return LocatedValues.of(delegate());
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    if (!(range instanceof ByteRange.Whole)) {
      return super.get(key, range);
    } else if (key.equals(OF_V2)) {
      return super.get(key, range).switchIfEmpty(Mono.defer(() -> part(key)).map(Part::alone));
    }
    return key.equals(DOCUMENT)
        ? super.get(key, range).flatMap(this::complete)
        : super.get(key, range);
  }

  private Mono<Bytes> complete(Bytes text) {
    if (text.size() > LONGEST) {
      return Mono.just(text);
    }
    JsonObject document = object(text);
    return document == null
            || !document.string("node_type").orElse("").equals("group")
            || !nodes(document, CONSOLIDATED).members().isEmpty()
        ? Mono.just(text)
        : part(DOCUMENT).map(part -> part.in(document)).defaultIfEmpty(text);
  }

  /** Emits what the nearest group above knows of the nodes below. */
  private Mono<Part> part(StoreKey key) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(above).filter(cut -> !cut.node().isEmpty()).take(LEVELS),
            LEVELS,
            cut ->
                Mono.usingWhen(
                        opening.apply(cut),
                        store -> store.get(key, MetadataLimits.defaults().range()),
                        Store::close)
                    .publishOn(Environment.current().codecScheduler())
                    .mapNotNull(text -> Part.of(object(text), key, cut.node()))
                    .onErrorResume(ZarrException.class, e -> Mono.empty())) // any page may be there
        .next();
  }

  private static @Nullable JsonObject object(Bytes text) {
    try {
      JsonValue value = JsonDocument.parseAttributes(text.asByteBuffer(), Location.UNKNOWN).value();
      return value instanceof JsonObject object ? object : null;
    } catch (ZarrException e) {
      return null; // the reader of the document says it better
    }
  }

  private static JsonObject nodes(JsonObject document, String member) {
    return document.get(member) instanceof JsonObject consolidated
            && consolidated.get(NODES) instanceof JsonObject nodes
        ? nodes
        : JsonObject.EMPTY;
  }

  /** The consolidated metadata of the nodes below one. */
  private record Part(JsonObject consolidated) {
    /** Returns the part of a document's; null if it has none below the node. */
    static @Nullable Part of(@Nullable JsonObject document, StoreKey key, String node) {
      if (document == null) {
        return null;
      }
      boolean isOfV2 = key.equals(OF_V2);
      JsonObject nodes =
          isOfV2
              ? document.get(NODES) instanceof JsonObject all ? all : JsonObject.EMPTY
              : nodes(document, CONSOLIDATED);
      Map<String, JsonValue> below = new TreeMap<>();
      nodes
          .members()
          .forEach(
              (path, metadata) -> {
                if (path.startsWith(node + "/")) {
                  below.put(path.substring(node.length() + 1), metadata);
                }
              });
      JsonObject from =
          isOfV2 ? document : (JsonObject) document.members().getOrDefault(CONSOLIDATED, document);
      return below.isEmpty() ? null : new Part(from.with(NODES, new JsonObject(below)));
    }

    Bytes in(JsonObject document) {
      return text(document.with(CONSOLIDATED, consolidated));
    }

    Bytes alone() {
      return text(consolidated);
    }

    private static Bytes text(JsonObject document) {
      return Bytes.wrap(document.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
