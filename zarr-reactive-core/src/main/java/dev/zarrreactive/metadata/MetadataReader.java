package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.Bytes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code zarr.json} documents of Zarr v3 (specification: "Metadata"), and {@code .zarray},
 * {@code .zgroup} and {@code .zattrs} of Zarr v2.
 */
public final class MetadataReader {
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
    return read(document, path, Drafts.none());
  }

  /**
   * Reads the document of a node; otherwise as {@link #read(Bytes, NodePath)}. The entry point of a
   * hierarchy of the 2022 draft, where that is accepted, is read as the group without a document
   * that its root may be.
   *
   * @param drafts which drafts the document may be written to
   */
  public static NodeMetadata read(Bytes document, NodePath path, Drafts drafts) {
    return read(document, path, drafts, MetadataLimits.defaults());
  }

  /**
   * Reads the document of a node; otherwise as {@link #read(Bytes, NodePath, Drafts)}.
   *
   * @param limits how large it may be
   */
  public static NodeMetadata read(
      Bytes document, NodePath path, Drafts drafts, MetadataLimits limits) {
    LocatedJson json =
        JsonDocument.parse(
            document.asByteBuffer(), where(path, NodePath.DOCUMENT), limits.elements());
    if (drafts.accepts(Draft.OF_2022) && Draft2022Hierarchy.isEntryPoint(json)) {
      if (!path.isRoot()) {
        throw new UnsupportedFeatureException(
            "a hierarchy of "
                + Draft.OF_2022
                + " must be opened at its root; open a store that begins here, as"
                + " Stores.prefixed does",
            json.location());
      }
      return Draft2022Hierarchy.read(json, drafts, limits).implicitGroup(path);
    }
    return read(json, drafts, limits);
  }

  /**
   * Reads the documents of an array of Zarr v2.
   *
   * @param zarray the stored bytes of {@code .zarray}
   * @param zattrs those of {@code .zattrs}; null where there is none
   * @param path the node's path, for errors
   * @param limits how large each document may be
   * @throws dev.zarrreactive.error.MetadataException where a document breaks a rule
   * @throws UnsupportedFeatureException where the array cannot be described as one of Zarr v3
   */
  public static ArrayMetadata readV2Array(
      Bytes zarray, @Nullable Bytes zattrs, NodePath path, MetadataLimits limits) {
    JsonObject attributes = zattrs == null ? JsonObject.EMPTY : attributes(zattrs, path, limits);
    LocatedJson document =
        JsonDocument.parse(
            zarray.asByteBuffer(), where(path, NodePath.V2_ARRAY), limits.elements());
    return readV2Array(document, attributes, limits);
  }

  /** Reads a {@code .zarray} that is parsed already. */
  static ArrayMetadata readV2Array(
      LocatedJson zarray, JsonObject attributes, MetadataLimits limits) {
    limits.checkRank(zarray);
    return ArrayMetadata.readV2(zarray, attributes);
  }

  /**
   * Reads the documents of a group of Zarr v2; as {@link #readV2Array}.
   *
   * @param zmetadata the stored bytes of {@code .zmetadata}; null where there is none, or nobody
   *     wants it
   */
  public static GroupMetadata readV2Group(
      Bytes zgroup,
      @Nullable Bytes zattrs,
      @Nullable Bytes zmetadata,
      NodePath path,
      MetadataLimits limits) {
    JsonObject attributes = zattrs == null ? JsonObject.EMPTY : attributes(zattrs, path, limits);
    GroupMetadata group =
        GroupMetadata.readV2(
            JsonDocument.parse(
                zgroup.asByteBuffer(), where(path, NodePath.V2_GROUP), limits.elements()),
            attributes);
    return zmetadata == null
        ? group
        : group.withConsolidated(
            () ->
                JsonDocument.parse(
                    zmetadata.asByteBuffer(),
                    where(path, NodePath.V2_CONSOLIDATED),
                    limits.elements()),
            limits);
  }

  private static JsonObject attributes(Bytes zattrs, NodePath path, MetadataLimits limits) {
    return JsonDocument.parseAttributes(
            zattrs.asByteBuffer(), where(path, NodePath.V2_ATTRIBUTES), limits.elements())
        .object();
  }

  private static Location where(NodePath path, String document) {
    return Location.ofNode(path.value()).key(path.key(document).value());
  }

  /** Checks that a document of Zarr v2 says so. */
  static void checkFormat2(LocatedJson document) {
    LocatedJson format = document.member("zarr_format");
    if (!format.value().equals(JsonNumber.of(2))) {
      throw format.expected("the integer 2");
    }
  }

  /** Reads a document that is parsed already, such as an entry of consolidated metadata. */
  static NodeMetadata read(LocatedJson document, Drafts drafts, MetadataLimits limits) {
    limits.checkRank(document);
    checkFormat(document);
    LocatedJson type = document.member("node_type");
    return type.oneOf("array", "group").equals("array")
        ? ArrayMetadata.read(document, drafts)
        : GroupMetadata.read(document, drafts, limits);
  }

  private static void checkFormat(LocatedJson document) {
    LocatedJson format = document.member("zarr_format");
    if (Draft2022Hierarchy.isEntryPoint(document)) {
      throw new UnsupportedFeatureException(
          "the hierarchy is written to "
              + Draft.OF_2022
              + " ("
              + format.value()
              + "); "
              + Draft.OF_2022.howToRead(),
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
    document.forEachMember(
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

  /** The attributes, which must be an object where they stand; a null counts as absent. */
  static JsonObject attributes(LocatedJson document) {
    LocatedJson attributes = presentOrNull(document, "attributes");
    return attributes == null ? JsonObject.EMPTY : attributes.object();
  }

  /** The member, or null where it is absent or, as some programs wrote, null. */
  static @Nullable LocatedJson presentOrNull(LocatedJson document, String name) {
    LocatedJson member = document.optional(name);
    return member == null || member.isNull() ? null : member;
  }
}
