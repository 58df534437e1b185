package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.spi.Spi;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an existing node that break a rule or have an unknown name: the document, if it
 * is JSON, and the error.
 */
@Spi
public final class UnreadableMetadata implements NodeMetadata {
  /** The maximum size of a document that is parsed again to show it. */
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

  /** Returns the metadata of a parsed {@code zarr.json}. */
  public static UnreadableMetadata of(JsonObject document, ZarrException error) {
    JsonObject attributes =
        document.get("attributes") instanceof JsonObject object ? object : JsonObject.EMPTY;
    return new UnreadableMetadata(3, NodePath.DOCUMENT, document, attributes, error);
  }

  /** Returns the metadata of a {@code zarr.json}, which may be malformed. */
  public static UnreadableMetadata of(Bytes document, ZarrException error) {
    return of(json(document, error), error);
  }

  /** Returns the metadata of a node that needs a leniency, which the options refuse. */
  public static UnreadableMetadata refused(NodeMetadata metadata) {
    MetadataWarning first = metadata.warnings().get(0);
    String name = metadata instanceof ArrayMetadata ? NodePath.V2_ARRAY : NodePath.V2_GROUP;
    return new UnreadableMetadata(
        metadata.zarrFormat(),
        metadata.zarrFormat() == 2 ? name : NodePath.DOCUMENT,
        metadata.document(),
        metadata.attributes(),
        new MetadataException(
            "the options refuse the leniency " + first.leniency() + ": " + first.statement(),
            first.location()));
  }

  /** Returns the metadata of the documents of Zarr v2, by name. Each may be malformed. */
  public static UnreadableMetadata ofV2(Map<String, Bytes> documents, ZarrException error) {
    String name = documents.containsKey(NodePath.V2_ARRAY) ? NodePath.V2_ARRAY : NodePath.V2_GROUP;
    return ofV2(
        name,
        json(documents.get(name), error),
        json(documents.get(NodePath.V2_ATTRIBUTES), error),
        error);
  }

  /** Returns the metadata of parsed documents of Zarr v2. */
  static UnreadableMetadata ofV2(
      String name, JsonObject document, JsonObject attributes, ZarrException error) {
    return new UnreadableMetadata(2, name, document, attributes, error);
  }

  /**
   * Returns the document, or an empty object if it is malformed or exceeds the heap. It is parsed
   * leniently, since attributes may have tokens that JSON lacks.
   */
  private static JsonObject json(@Nullable Bytes document, ZarrException error) {
    if (document == null
        || document.size() == 0
        || document.size() > MAX_SHOWN_BYTES
        || error instanceof MemoryExhaustedException) {
      return JsonObject.EMPTY;
    }
    try {
      return JsonDocument.parse(
              document.asByteBuffer(),
              Location.UNKNOWN,
              MetadataLimits.defaults().elements(),
              JsonDocument.Kind.ATTRIBUTES)
          .json()
          .object();
    } catch (MetadataException e) {
      return JsonObject.EMPTY;
    }
  }

  /** The error of the open operation. */
  public ZarrException error() {
    return error;
  }

  /** Returns true if the document's name or a member says that the node is an array. */
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
   * The stored document. It is empty if the stored one is not a JSON object, or exceeds a mebibyte.
   */
  @Override
  public JsonObject document() {
    return document;
  }

  @Override
  public StoreKey documentKey(NodePath path) {
    return path.key(documentName);
  }

  /** Always throws an error: an unreadable document is never changed. */
  @Override
  public UnreadableMetadata withAttributes(JsonObject others) {
    throw error;
  }

  /** The readable part of the user's attributes. */
  @Override
  public JsonObject attributes() {
    return attributes;
  }

  @Override
  public String toString() {
    return document.toString();
  }
}
