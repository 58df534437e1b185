package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The metadata of a group (specification: "Group metadata"). */
public final class GroupMetadata implements NodeMetadata {
  private static final Set<String> MEMBERS =
      Set.of("zarr_format", "node_type", "attributes", "consolidated_metadata");

  private final LocatedJson source;
  private final @Nullable ConsolidatedMetadata consolidated;

  private GroupMetadata(LocatedJson json) {
    source = json;
    MetadataReader.checkUnknownMembers(json, MEMBERS, "group");
    MetadataReader.checkAttributes(json);
    LocatedJson inline = MetadataReader.presentOrNull(json, "consolidated_metadata");
    consolidated = inline == null ? null : ConsolidatedMetadata.read(inline);
  }

  /** Reads a document whose format and node type are known. */
  static GroupMetadata read(LocatedJson json) {
    return new GroupMetadata(json);
  }

  /** The metadata of a new group. */
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
  public JsonObject document() {
    return source.object();
  }

  @Override
  public GroupMetadata withAttributes(JsonObject attributes) {
    return read(new LocatedJson(document().with("attributes", attributes), source.location()));
  }

  @Override
  public String toString() {
    return document().toString();
  }
}
