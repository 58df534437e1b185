package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.internal.metadata.Draft2022Array;
import dev.zarrreactive.internal.metadata.Draft2023Document;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The metadata of a group (specification: "Group metadata"). */
public final class GroupMetadata extends StoredMetadata {
  private static final Set<String> MEMBERS =
      Set.of("zarr_format", "node_type", "attributes", ConsolidatedMetadata.MEMBER);

  private final @Nullable ConsolidatedMetadata consolidated;
  private final @Nullable MetadataException problem;

  private GroupMetadata(
      int zarrFormat,
      LocatedJson source,
      JsonObject attributes,
      Consolidation consolidation,
      Provenance provenance) {
    super(zarrFormat, source, attributes, provenance);
    this.consolidated = consolidation.metadata();
    this.problem = consolidation.problem();
  }

  /** The consolidated metadata, or their error, or neither. */
  private record Consolidation(
      @Nullable ConsolidatedMetadata metadata, @Nullable MetadataException problem) {
    static final Consolidation NONE = new Consolidation(null, null);

    /** Keeps the error of a broken cache, so that the group can be opened. */
    static Consolidation of(Supplier<@Nullable ConsolidatedMetadata> reading) {
      try {
        return new Consolidation(reading.get(), null);
      } catch (MetadataException e) {
        return new Consolidation(null, e);
      }
    }
  }

  /** Reads a document whose format and node type are known. */
  static GroupMetadata read(LocatedJson json) {
    return read(json, Drafts.none(), MetadataLimits.defaults());
  }

  /** Reads a document that may have forms of the 2023 draft, if {@code drafts} accepts it. */
  static GroupMetadata read(LocatedJson document, Drafts drafts, MetadataLimits limits) {
    Leniencies leniencies = new Leniencies(Draft.OF_2023, drafts);
    LocatedJson json = Draft2023Document.group(document, leniencies);
    MetadataReader.checkUnknownMembers(json, MEMBERS, "group");
    JsonObject attributes = MetadataReader.attributes(json);
    LocatedJson member = json.nonNull(ConsolidatedMetadata.MEMBER);
    Consolidation consolidation = Consolidation.NONE;
    if (member != null) {
      member.object();
      consolidation = Consolidation.of(() -> ConsolidatedMetadata.read(member, drafts, limits));
    }
    return new GroupMetadata(3, document, attributes, consolidation, Provenance.of(leniencies));
  }

  /** Reads a document of the 2022 draft. */
  static GroupMetadata readDraft2022(LocatedJson document, Draft2022Hierarchy hierarchy) {
    document.allowOnly("attributes");
    Leniencies leniencies = hierarchy.leniencies();
    LocatedJson attributes = Draft2022Array.attributes(document, leniencies);
    return new GroupMetadata(
        3, document, attributes.object(), Consolidation.NONE, hierarchy.provenance(leniencies));
  }

  /** Returns a group without a document, which nodes below it imply. */
  static GroupMetadata implicit(LocatedJson nothing, Provenance provenance) {
    return new GroupMetadata(3, nothing, JsonObject.EMPTY, Consolidation.NONE, provenance);
  }

  /** Returns a group of the 2023 draft without a document, which nodes below it imply. */
  public static GroupMetadata implicit(NodePath path) {
    Location place = Location.ofNode(path.value()).key(path.documentKey().value()).pointer("");
    LocatedJson nothing = new LocatedJson(JsonObject.EMPTY, place);
    Leniencies leniencies = new Leniencies(Draft.OF_2023, Drafts.of(Draft.OF_2023));
    leniencies.take(nothing, "a group without a document");
    return implicit(nothing, Provenance.of(leniencies));
  }

  /** Returns true for a group without a document, as the drafts have them. */
  public boolean isImplicit() {
    return source.object().members().isEmpty();
  }

  /** Reads a {@code .zgroup}, and ignores unknown members. */
  static GroupMetadata readV2(LocatedJson zgroup, JsonObject attributes) {
    V2Array.checkFormat(zgroup);
    return new GroupMetadata(2, zgroup, attributes, Consolidation.NONE, Provenance.PLAIN);
  }

  /** Returns this group of Zarr v2 with the {@code .zmetadata} that {@code document} returns. */
  GroupMetadata withConsolidated(Supplier<LocatedJson> document, MetadataLimits limits) {
    return new GroupMetadata(
        zarrFormat,
        source,
        attributes,
        Consolidation.of(() -> ConsolidatedMetadata.readV2(document.get(), limits)),
        provenance);
  }

  /**
   * Returns the metadata of a new group.
   *
   * @param zarrFormat 2 or 3
   */
  public static GroupMetadata of(int zarrFormat, JsonObject attributes) {
    return switch (zarrFormat) {
      case 2 ->
          readV2(LocatedJson.of(JsonObject.EMPTY.with("zarr_format", zarrFormat)), attributes);
      case 3 -> of(attributes);
      default -> throw new IllegalArgumentException("the Zarr format is 2 or 3, not " + zarrFormat);
    };
  }

  /** Returns the metadata of a new group of Zarr v3. */
  public static GroupMetadata of(JsonObject attributes) {
    return read(
        LocatedJson.of(
            JsonObject.EMPTY
                .with("zarr_format", 3)
                .with("node_type", "group")
                .with("attributes", attributes)));
  }

  /**
   * The metadata of the nodes below, which may be stale. Null without a consolidated document, or
   * with an invalid or unread one.
   */
  public @Nullable ConsolidatedMetadata consolidated() {
    return consolidated;
  }

  /** The error of invalid consolidated metadata, or null. */
  public @Nullable MetadataException consolidatedProblem() {
    return problem;
  }

  /** Returns true if the document itself has consolidated metadata, of any kind. */
  public boolean carriesConsolidated() {
    return source.nonNull(ConsolidatedMetadata.MEMBER) != null;
  }

  /**
   * Returns the document with the metadata of the nodes below. For Zarr v3 it is the group's own,
   * for Zarr v2 a {@code .zmetadata}.
   *
   * @param nodes the nodes by relative path, parents before their children, all of this group's
   *     format
   */
  public JsonObject consolidatedDocument(Map<String, NodeMetadata> nodes) {
    return zarrFormat == 2
        ? V2Consolidated.write(this, nodes)
        : document().with(ConsolidatedMetadata.MEMBER, ConsolidatedMetadata.write(nodes));
  }

  /** Returns this group with a document of {@link #consolidatedDocument}. */
  public GroupMetadata withConsolidated(JsonObject document, MetadataLimits limits) {
    LocatedJson located = new LocatedJson(document, source.location());
    return zarrFormat == 2
        ? withConsolidated(() -> located, limits)
        : read(located, Drafts.none(), limits);
  }

  @Override
  public GroupMetadata withAttributes(JsonObject others) {
    provenance.checkWritable(source.location());
    return zarrFormat == 2 ? readV2(source, others) : read(documentWith(others));
  }
}
