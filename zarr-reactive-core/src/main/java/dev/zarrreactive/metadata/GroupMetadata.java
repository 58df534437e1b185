package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The metadata of a group (specification: "Group metadata"). */
public final class GroupMetadata implements NodeMetadata {
  private static final Set<String> MEMBERS =
      Set.of("zarr_format", "node_type", "attributes", "consolidated_metadata");

  private final int zarrFormat;
  private final LocatedJson source;
  private final JsonObject attributes;
  private final @Nullable ConsolidatedMetadata consolidated;
  private final Provenance provenance;

  private GroupMetadata(LocatedJson document, LocatedJson json, Provenance provenance) {
    zarrFormat = 3;
    source = document;
    this.provenance = provenance;
    MetadataReader.checkUnknownMembers(json, MEMBERS, "group");
    attributes = MetadataReader.attributes(json);
    LocatedJson inline = MetadataReader.presentOrNull(json, "consolidated_metadata");
    consolidated = inline == null ? null : ConsolidatedMetadata.read(inline);
  }

  private GroupMetadata(LocatedJson zgroup, JsonObject attributes) {
    zarrFormat = 2;
    source = zgroup;
    this.attributes = attributes;
    consolidated = null;
    provenance = Provenance.PLAIN;
    MetadataReader.checkFormat2(zgroup);
  }

  private GroupMetadata(JsonObject attributes, LocatedJson source, Provenance provenance) {
    zarrFormat = 3;
    this.source = source;
    this.attributes = attributes;
    consolidated = null;
    this.provenance = provenance;
  }

  /** Reads a document whose format and node type are known. */
  static GroupMetadata read(LocatedJson json) {
    return new GroupMetadata(json, json, Provenance.PLAIN);
  }

  /** Reads a document that may be in forms of the 2023 draft where that is accepted. */
  static GroupMetadata read(LocatedJson document, Drafts drafts) {
    Leniencies leniencies = new Leniencies(Draft.OF_2023, drafts);
    LocatedJson json = Draft2023Document.group(document, leniencies);
    return new GroupMetadata(document, json, Provenance.of(leniencies));
  }

  /** Reads a document of the 2022 draft. */
  static GroupMetadata readDraft2022(LocatedJson document, Draft2022Hierarchy hierarchy) {
    document.allowOnly("attributes");
    Leniencies leniencies = hierarchy.leniencies();
    LocatedJson attributes = Draft2022Array.attributes(document, leniencies);
    return new GroupMetadata(
        attributes.object(),
        document,
        Provenance.of2022(hierarchy, hierarchy.warnings(leniencies)));
  }

  /** A group without a document, which nodes below it imply. */
  static GroupMetadata implicit(LocatedJson nothing, Provenance provenance) {
    return new GroupMetadata(JsonObject.EMPTY, nothing, provenance);
  }

  /** A group of the 2023 draft without a document, which is there because something is below it. */
  public static GroupMetadata implicit(NodePath path) {
    Location place = Location.ofNode(path.value()).key(path.documentKey().value()).pointer("");
    LocatedJson nothing = new LocatedJson(JsonObject.EMPTY, place);
    Leniencies leniencies = new Leniencies(Draft.OF_2023, Drafts.of(Draft.OF_2023));
    leniencies.take(nothing, "a group without a document");
    return implicit(nothing, Provenance.of(leniencies));
  }

  /** True for a group without a document, as the drafts have them. */
  public boolean isImplicit() {
    return source.object().members().isEmpty();
  }

  /** Reads a {@code .zgroup}; its further members, which nobody should write, are ignored. */
  static GroupMetadata readV2(LocatedJson zgroup, JsonObject attributes) {
    return new GroupMetadata(zgroup, attributes);
  }

  /**
   * The metadata of a new group.
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

  /** The metadata of a new group of Zarr v3. */
  public static GroupMetadata of(JsonObject attributes) {
    return read(
        LocatedJson.of(
            JsonObject.EMPTY
                .with("zarr_format", 3)
                .with("node_type", "group")
                .with("attributes", attributes)));
  }

  /** The metadata of the nodes below, where the document carries it. It may be stale. */
  public @Nullable ConsolidatedMetadata consolidated() {
    return consolidated;
  }

  @Override
  public @Nullable Draft draft() {
    return provenance.draft();
  }

  @Override
  public @Nullable Draft2022Hierarchy draft2022() {
    return provenance.hierarchy();
  }

  @Override
  public List<MetadataWarning> warnings() {
    return provenance.warnings();
  }

  @Override
  public int zarrFormat() {
    return zarrFormat;
  }

  @Override
  public JsonObject document() {
    return source.object();
  }

  @Override
  public JsonObject attributes() {
    return attributes;
  }

  @Override
  public GroupMetadata withAttributes(JsonObject others) {
    provenance.checkWritable(source.location());
    return zarrFormat == 2
        ? readV2(source, others)
        : read(new LocatedJson(document().with("attributes", others), source.location()));
  }

  @Override
  public String toString() {
    return document().toString();
  }
}
