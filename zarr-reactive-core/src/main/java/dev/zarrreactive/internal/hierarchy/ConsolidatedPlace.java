package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * A place of consolidated metadata of a group: its document of Zarr v3, or a separate document of
 * Zarr v2.
 */
record ConsolidatedPlace(NodePath group, int zarrFormat) {

  /** Returns the places above {@code path} that may hold a node of any format there. */
  static List<ConsolidatedPlace> above(NodePath path) {
    List<ConsolidatedPlace> places = above(path, 3);
    places.addAll(above(path, 2));
    return places;
  }

  /** Returns the places above {@code path} that may hold a node of this format there. */
  static List<ConsolidatedPlace> above(NodePath path, int zarrFormat) {
    List<ConsolidatedPlace> places = new ArrayList<>();
    path.ancestors().forEach(group -> places.add(new ConsolidatedPlace(group, zarrFormat)));
    return places;
  }

  /**
   * Returns the places that may hold the attributes of a node; a group of Zarr v2 consolidates its
   * own, too.
   */
  static List<ConsolidatedPlace> ofAttributes(NodePath path, int zarrFormat) {
    List<ConsolidatedPlace> places = above(path, zarrFormat);
    if (zarrFormat == 2) {
      places.add(new ConsolidatedPlace(path, zarrFormat));
    }
    return places;
  }

  /** Returns the places that a change at {@code path} may make stale. */
  static List<ConsolidatedPlace> concerned(NodePath path) {
    List<ConsolidatedPlace> places = above(path, 3);
    places.addAll(ofAttributes(path, 2));
    return places;
  }

  StoreKey key() {
    return zarrFormat == 2 ? group.key(NodePath.V2_CONSOLIDATED) : group.documentKey();
  }

  /** Returns whether a document holds consolidated metadata that readers use. */
  boolean isIn(Bytes document) {
    return zarrFormat == 2 || isConsolidated(json(document));
  }

  private static boolean isConsolidated(JsonObject document) {
    JsonValue member = document.get(ConsolidatedMetadata.MEMBER);
    return member != null && member != JsonNull.NULL;
  }

  /** Removes the consolidated metadata from the document, and nothing else. */
  Mono<Void> takeFrom(Store store, Bytes document) {
    if (zarrFormat == 2) {
      return store.erase(key());
    }
    String rest = json(document).without(ConsolidatedMetadata.MEMBER).toPrettyString();
    return store.set(key(), Bytes.utf8(rest));
  }

  /** Parses a document; readers ignore one that is not JSON. */
  private static JsonObject json(Bytes document) {
    try {
      return JsonDocument.parse(document.asByteBuffer(), Location.UNKNOWN).object();
    } catch (MetadataException e) {
      return JsonObject.EMPTY;
    }
  }
}
