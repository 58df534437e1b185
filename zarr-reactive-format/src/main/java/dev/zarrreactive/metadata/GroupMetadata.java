package dev.zarrreactive.metadata;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
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

  /** The consolidated metadata, and their first error. */
  private record Consolidation(
      @Nullable ConsolidatedMetadata metadata, @Nullable MetadataException problem) {
    static final Consolidation NONE = new Consolidation(null, null);

    /** Keeps the error of a broken cache, so that the group can be opened. */
    static Consolidation of(Supplier<ConsolidatedMetadata> reading) {
      try {
        ConsolidatedMetadata metadata = reading.get();
        List<MetadataException> problems = metadata.problems();
        return new Consolidation(metadata, problems.isEmpty() ? null : problems.get(0));
      } catch (MetadataException e) {
        return new Consolidation(null, e);
      } catch (ZarrException e) {
        return new Consolidation(null, new MetadataException(e.statement(), e.location(), e));
      }
    }
  }

  /** Reads a document whose format and node type are known. */
  static GroupMetadata read(LocatedJson json) {
    Leniencies leniencies = new Leniencies(Draft.OF_2023, Drafts.none());
    return read(json, leniencies, MetadataLimits.defaults(), null);
  }

  /**
   * Reads a document that may have forms of the 2023 draft, if the leniencies accept it.
   *
   * @param problem the error for which the consolidated metadata were left out, or null
   */
  static GroupMetadata read(
      LocatedJson document,
      Leniencies leniencies,
      MetadataLimits limits,
      @Nullable MetadataException problem) {
    LocatedJson json = Drafts.translator().group(document, leniencies);
    MetadataReader.checkUnknownMembers(json, MEMBERS, "group");
    JsonObject attributes = MetadataReader.attributes(json, leniencies);
    LocatedJson member = json.nonNull(ConsolidatedMetadata.MEMBER);
    Consolidation consolidation =
        member == null
            ? new Consolidation(null, problem)
            : Consolidation.of(() -> ConsolidatedMetadata.read(member, leniencies, limits));
    return new GroupMetadata(3, document, attributes, consolidation, Provenance.of(leniencies));
  }

  /**
   * Reads the documents of a group of Zarr v2, as {@link ArrayMetadata#parseV2} those of an array.
   *
   * @param zmetadata the stored bytes of {@code .zmetadata}, or null to leave it out
   */
  public static GroupMetadata parseV2(
      Bytes zgroup,
      @Nullable Bytes zattrs,
      @Nullable Bytes zmetadata,
      NodePath path,
      MetadataLimits limits) {
    return MetadataReader.readV2Group(zgroup, zattrs, zmetadata, path, limits);
  }

  /** Returns the group of a document that was translated; it is empty for one without. */
  static GroupMetadata translated(
      LocatedJson document, JsonObject attributes, Provenance provenance) {
    return new GroupMetadata(3, document, attributes, Consolidation.NONE, provenance);
  }

  /** Returns a group of the 2023 draft without a document, which nodes below it imply. */
  public static GroupMetadata implicit(NodePath path) {
    Location place = Location.ofNode(path.value()).key(path.documentKey().value()).pointer("");
    LocatedJson nothing = new LocatedJson(JsonObject.EMPTY, place);
    Leniencies leniencies = new Leniencies(Draft.OF_2023, Drafts.of(Draft.OF_2023));
    leniencies.take(nothing, "a group without a document");
    return translated(nothing, JsonObject.EMPTY, Provenance.of(leniencies));
  }

  /** Returns true for a group without a document, as the drafts have them. */
  public boolean isImplicit() {
    return source.object().members().isEmpty();
  }

  /** Reads a {@code .zgroup}, and ignores unknown members. */
  static GroupMetadata readV2(LocatedJson zgroup, JsonObject attributes, Leniencies leniencies) {
    V2Array.checkFormat(zgroup);
    return new GroupMetadata(2, zgroup, attributes, Consolidation.NONE, Provenance.of(leniencies));
  }

  /** Returns this group of Zarr v2 with the {@code .zmetadata} that {@code document} returns. */
  GroupMetadata withConsolidated(Supplier<JsonDocument.Parsed> document, MetadataLimits limits) {
    Leniencies leniencies = Leniencies.ofV2();
    leniencies.addAll(warnings());
    Consolidation consolidation =
        Consolidation.of(
            () -> ConsolidatedMetadata.readV2(leniencies.json(document.get()), leniencies, limits));
    return new GroupMetadata(
        zarrFormat, source, attributes, consolidation, Provenance.of(leniencies));
  }

  /**
   * Returns this group with a problem instead of its consolidated metadata.
   *
   * @param problem the error of a {@code .zmetadata} that was not read
   */
  public GroupMetadata withConsolidatedProblem(MetadataException problem) {
    return new GroupMetadata(
        zarrFormat, source, attributes, new Consolidation(null, problem), provenance);
  }

  /**
   * Returns the metadata of a new group.
   *
   * @param zarrFormat 2 or 3
   */
  public static GroupMetadata of(int zarrFormat, JsonObject attributes) {
    return switch (zarrFormat) {
      case 2 ->
          readV2(
              LocatedJson.of(JsonObject.EMPTY.with("zarr_format", zarrFormat)),
              attributes,
              Leniencies.ofV2());
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
   * The metadata of the nodes below, which may be stale. Null if the document is missing, or cannot
   * be used at all. Entries that cannot be used are left out.
   */
  public @Nullable ConsolidatedMetadata consolidated() {
    return consolidated;
  }

  /** The first error of consolidated metadata that are broken in whole or in part, or null. */
  public @Nullable MetadataException consolidatedProblem() {
    return problem;
  }

  /** Returns true if the document itself has consolidated metadata, of any kind. */
  public boolean carriesConsolidated() {
    boolean isLeftOut = zarrFormat == 3 && problem != null;
    return isLeftOut || source.nonNull(ConsolidatedMetadata.MEMBER) != null;
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
        ? withConsolidated(() -> new JsonDocument.Parsed(located, Map.of(), null), limits)
        : read(located, new Leniencies(Draft.OF_2023, Drafts.none()), limits, null);
  }

  @Override
  public GroupMetadata withAttributes(JsonObject others) {
    provenance.checkWritable(source.location());
    return zarrFormat == 2 ? readV2(source, others, Leniencies.ofV2()) : read(documentWith(others));
  }
}
