package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.Bytes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code zarr.json} documents of Zarr v3 (specification: "Metadata"). */
public final class MetadataReader {
  private static final String DRAFT_URI = "https://purl.org/zarr/spec/";

  private MetadataReader() {}

  /**
   * Reads the document of a node.
   *
   * @param document the stored bytes
   * @param path the node's path, for errors
   * @throws dev.zarrreactive.error.MetadataException where the document breaks a rule
   * @throws UnsupportedFeatureException where it is of another version of Zarr
   */
  public static NodeMetadata read(Bytes document, NodePath path) {
    Location where = Location.ofNode(path.value()).key(path.documentKey().value());
    return read(JsonDocument.parse(document.asByteBuffer(), where));
  }

  /** Reads a document that is parsed already, such as an entry of consolidated metadata. */
  static NodeMetadata read(LocatedJson document) {
    document.object();
    checkFormat(document);
    LocatedJson type = document.member("node_type");
    return type.oneOf("array", "group").equals("array")
        ? ArrayMetadata.read(document)
        : GroupMetadata.read(document);
  }

  private static void checkFormat(LocatedJson document) {
    LocatedJson format = document.member("zarr_format");
    if (format.value() instanceof JsonString uri && uri.value().startsWith(DRAFT_URI)) {
      throw new UnsupportedFeatureException(
          "the hierarchy is written to the 2022 draft of Zarr v3 (\""
              + uri.value()
              + "\"), which is unsupported; convert it with the program that wrote it",
          format.location());
    }
    if (!format.value().equals(JsonNumber.of(3))) {
      throw format.expected("the integer 3");
    }
  }

  /**
   * Checks the members that {@code known} does not name: each must be an object that says that it
   * need not be understood.
   */
  static void checkUnknownMembers(LocatedJson document, Set<String> known, String what) {
    document
        .members()
        .forEach(
            (name, member) -> {
              if (!known.contains(name) && !isIgnorable(member)) {
                throw member.error(
                    "unknown member \""
                        + name
                        + "\" of the "
                        + what
                        + "'s metadata, which is not marked \"must_understand\": false");
              }
            });
  }

  private static boolean isIgnorable(LocatedJson member) {
    return member.value() instanceof JsonObject object
        && object.get("must_understand") instanceof JsonBoolean understand
        && !understand.value();
  }

  /** Checks that {@code attributes}, where they stand, are an object; a null counts as absent. */
  static void checkAttributes(LocatedJson document) {
    LocatedJson attributes = presentOrNull(document, "attributes");
    if (attributes != null) {
      attributes.object();
    }
  }

  /** The member, or null where it is absent or, as some programs wrote, null. */
  static @Nullable LocatedJson presentOrNull(LocatedJson document, String name) {
    LocatedJson member = document.optional(name);
    return member == null || member.isNull() ? null : member;
  }
}
