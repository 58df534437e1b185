package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
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

  private GroupMetadata(LocatedJson json) {
    zarrFormat = 3;
    source = json;
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
    MetadataReader.checkFormat2(zgroup);
  }

  /** Reads a document whose format and node type are known. */
  static GroupMetadata read(LocatedJson json) {
    return new GroupMetadata(json);
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
    return zarrFormat == 2
        ? readV2(source, others)
        : read(new LocatedJson(document().with("attributes", others), source.location()));
  }

  @Override
  public String toString() {
    return document().toString();
  }
}
