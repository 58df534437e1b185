package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.StoreKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a node that is there, but breaks a rule or names what nobody knows here: the
 * document as far as it is JSON, and what is wrong with it.
 */
public final class UnreadableMetadata implements NodeMetadata {
  /** A larger document is not parsed once more, only to be shown. */
  private static final int MAX_SHOWN_BYTES = 1 << 20;

  private final int zarrFormat;
  private final String documentName;
  private final JsonObject document;
  private final JsonObject attributes;
  private final ZarrException error;

  private UnreadableMetadata(
      int zarrFormat,
      String documentName,
      JsonObject document,
      JsonObject attributes,
      ZarrException error) {
    this.zarrFormat = zarrFormat;
    this.documentName = documentName;
    this.document = document;
    this.attributes = attributes;
    this.error = error;
  }

  /** Of a {@code zarr.json}. */
  public static UnreadableMetadata of(JsonObject document, ZarrException error) {
    JsonObject attributes =
        document.get("attributes") instanceof JsonObject object ? object : JsonObject.EMPTY;
    return new UnreadableMetadata(3, NodePath.DOCUMENT, document, attributes, error);
  }

  /** Of a {@code zarr.json}, which may be no JSON at all. */
  public static UnreadableMetadata of(Bytes document, ZarrException error) {
    return of(json(document, error), error);
  }

  /** Of the documents of Zarr v2, by name, any of which may be no JSON at all. */
  public static UnreadableMetadata ofV2(Map<String, Bytes> documents, ZarrException error) {
    String name = documents.containsKey(NodePath.V2_ARRAY) ? NodePath.V2_ARRAY : NodePath.V2_GROUP;
    return ofV2(
        name,
        json(documents.get(name), error),
        json(documents.get(NodePath.V2_ATTRIBUTES), error),
        error);
  }

  /** Of documents of Zarr v2 that are JSON. */
  static UnreadableMetadata ofV2(
      String name, JsonObject document, JsonObject attributes, ZarrException error) {
    return new UnreadableMetadata(2, name, document, attributes, error);
  }

  /**
   * The document where it is JSON, or else an empty object; also where the heap had no room for it.
   * Attributes may hold tokens that are no JSON.
   */
  private static JsonObject json(@Nullable Bytes document, ZarrException error) {
    if (document == null
        || document.size() == 0
        || document.size() > MAX_SHOWN_BYTES
        || error instanceof MemoryExhaustedException) {
      return JsonObject.EMPTY;
    }
    try {
      return JsonDocument.parseAttributes(
              document.asByteBuffer(), Location.UNKNOWN, MetadataLimits.defaults().elements())
          .object();
    } catch (MetadataException e) {
      return JsonObject.EMPTY;
    }
  }

  /** What opening the node ends in. */
  public ZarrException error() {
    return error;
  }

  /** True where the document says, by its name or in a member, that the node is an array. */
  public boolean isArray() {
    return zarrFormat == 2
        ? documentName.equals(NodePath.V2_ARRAY)
        : new JsonString("array").equals(document.get("node_type"));
  }

  @Override
  public int zarrFormat() {
    return zarrFormat;
  }

  /**
   * The document as it stands in the store; empty where it is no JSON object, or has more than a
   * mebibyte.
   */
  @Override
  public JsonObject document() {
    return document;
  }

  @Override
  public StoreKey documentKey(NodePath path) {
    return path.key(documentName);
  }

  /** Always an error: what cannot be read is not changed. */
  @Override
  public UnreadableMetadata withAttributes(JsonObject others) {
    throw error;
  }

  /** The user's attributes as far as they can be read. */
  @Override
  public JsonObject attributes() {
    return attributes;
  }

  @Override
  public String toString() {
    return document.toString();
  }
}
