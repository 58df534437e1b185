package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Leniency;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonDocument.Kind;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code zarr.json} documents of Zarr v3 (specification: "Metadata"), and {@code .zarray},
 * {@code .zgroup} and {@code .zattrs} of Zarr v2.
 */
final class MetadataReader {
  private MetadataReader() {}

  /**
   * Reads the document of a node; see {@link NodeMetadata#parse(Bytes, NodePath, Drafts,
   * MetadataLimits)}.
   */
  static NodeMetadata read(Bytes document, NodePath path, Drafts drafts, MetadataLimits limits) {
    drafts.checkReadable();
    JsonDocument.Parsed parsed = parsed(document, path, NodePath.DOCUMENT, Kind.NODE, limits);
    LocatedJson json = parsed.json();
    if (drafts.accepts(Draft.OF_2022) && EntryPoint.is(json)) {
      if (!path.isRoot()) {
        throw new UnsupportedFeatureException(
            "a hierarchy of "
                + Draft.OF_2022
                + " must be opened at its root; open a store that begins here, as"
                + " Stores.prefixed does",
            json.location());
      }
      return EntryPoint.read(json, drafts, limits).implicitGroup(path);
    }
    checkNames(path, json);
    Leniencies leniencies = new Leniencies(Draft.OF_2023, drafts);
    return read(leniencies.json(parsed), leniencies, limits, parsed.consolidatedProblem());
  }

  private static JsonDocument.Parsed parsed(
      Bytes document, NodePath path, String name, Kind kind, MetadataLimits limits) {
    return JsonDocument.parse(document.asByteBuffer(), where(path, name), limits.elements(), kind);
  }

  /** Refuses a node of Zarr v3 with a name that Zarr v3 reserves. */
  static void checkNames(NodePath path, LocatedJson document) {
    try {
      path.checkNames(3);
    } catch (IllegalArgumentException e) {
      throw new MetadataException(String.valueOf(e.getMessage()), document.location(), e);
    }
  }

  /** Reads the documents of an array; see {@link ArrayMetadata#parseV2}. */
  static ArrayMetadata readV2Array(
      Bytes zarray,
      @Nullable Bytes zattrs,
      boolean besideGroup,
      NodePath path,
      MetadataLimits limits) {
    Leniencies leniencies = Leniencies.ofV2();
    JsonObject attributes = attributes(zattrs, path, leniencies, limits);
    LocatedJson document =
        leniencies.json(parsed(zarray, path, NodePath.V2_ARRAY, Kind.V2_ARRAY, limits));
    return readV2Array(document, attributes, besideGroup, leniencies, limits);
  }

  /**
   * Reads a parsed {@code .zarray}.
   *
   * @param besideGroup whether a {@code .zgroup} is beside it
   */
  static ArrayMetadata readV2Array(
      LocatedJson zarray,
      JsonObject attributes,
      boolean besideGroup,
      Leniencies leniencies,
      MetadataLimits limits) {
    limits.checkRank(zarray);
    if (besideGroup) {
      leniencies.note(
          Leniency.ARRAY_AND_GROUP,
          zarray,
          "the node has a .zarray and a .zgroup; it is read as an array, and no listing has the"
              + " nodes below it");
    }
    return ArrayMetadata.readV2(zarray, attributes, leniencies);
  }

  /** Reads the documents of a group; see {@link GroupMetadata#parseV2}. */
  static GroupMetadata readV2Group(
      Bytes zgroup,
      @Nullable Bytes zattrs,
      @Nullable Bytes zmetadata,
      NodePath path,
      MetadataLimits limits) {
    Leniencies leniencies = Leniencies.ofV2();
    JsonObject attributes = attributes(zattrs, path, leniencies, limits);
    GroupMetadata group =
        GroupMetadata.readV2(
            leniencies.json(parsed(zgroup, path, NodePath.V2_GROUP, Kind.NODE, limits)),
            attributes,
            leniencies);
    return zmetadata == null
        ? group
        : group.withConsolidated(
            () -> parsed(zmetadata, path, NodePath.V2_CONSOLIDATED, Kind.V2_CONSOLIDATED, limits),
            limits);
  }

  private static JsonObject attributes(
      @Nullable Bytes zattrs, NodePath path, Leniencies leniencies, MetadataLimits limits) {
    return zattrs == null
        ? JsonObject.EMPTY
        : leniencies
            .json(parsed(zattrs, path, NodePath.V2_ATTRIBUTES, Kind.ATTRIBUTES, limits))
            .object();
  }

  private static Location where(NodePath path, String document) {
    return Location.ofNode(path.value()).key(path.key(document).value());
  }

  /**
   * Reads a parsed document, such as an entry of consolidated metadata.
   *
   * @param problem the error for which the document's consolidated metadata were left out, or null
   */
  static NodeMetadata read(
      LocatedJson document,
      Leniencies leniencies,
      MetadataLimits limits,
      @Nullable MetadataException problem) {
    limits.checkRank(document);
    checkFormat(document);
    LocatedJson type = document.member("node_type");
    return type.oneOf("array", "group").equals("array")
        ? ArrayMetadata.read(document, leniencies)
        : GroupMetadata.read(document, leniencies, limits, problem);
  }

  private static void checkFormat(LocatedJson document) {
    LocatedJson format = document.member("zarr_format");
    if (EntryPoint.is(document)) {
      throw new UnsupportedFeatureException(
          "the hierarchy follows "
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

  /** Checks the members besides {@code known}: each must be an object that readers may ignore. */
  static void checkUnknownMembers(LocatedJson document, Set<String> known, String what) {
    document.forEachMember(
        (name, member) -> {
          if (!known.contains(name) && !isIgnorable(member)) {
            throw member.error(
                "unknown member \""
                    + name
                    + "\" of the "
                    + what
                    + "'s metadata; only members with \"must_understand\": false are ignored");
          }
        });
  }

  private static boolean isIgnorable(LocatedJson member) {
    return member.value() instanceof JsonObject object
        && object.get("must_understand") instanceof JsonBoolean understand
        && !understand.value();
  }

  /** Returns the attributes, which must be an object if present. A null counts as absent. */
  static JsonObject attributes(LocatedJson document, Deviations deviations) {
    LocatedJson attributes = document.optional("attributes");
    if (attributes != null && attributes.isNull()) {
      deviations.note(
          Leniency.NULL_ATTRIBUTES,
          attributes,
          "the attributes are null, and read as an empty object");
      return JsonObject.EMPTY;
    }
    return attributes == null ? JsonObject.EMPTY : attributes.object();
  }
}
