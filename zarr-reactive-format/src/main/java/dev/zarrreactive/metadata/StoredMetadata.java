package dev.zarrreactive.metadata;

import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of a valid node's metadata that arrays and groups have in common. */
abstract sealed class StoredMetadata implements NodeMetadata permits ArrayMetadata, GroupMetadata {
  final int zarrFormat;
  final LocatedJson source;
  final JsonObject attributes;
  final Provenance provenance;

  StoredMetadata(int zarrFormat, LocatedJson source, JsonObject attributes, Provenance provenance) {
    this.zarrFormat = zarrFormat;
    this.source = source;
    this.attributes = attributes;
    this.provenance = provenance;
  }

  @Override
  public final @Nullable Draft draft() {
    return provenance.draft();
  }

  @Override
  public final @Nullable EntryPoint entryPoint() {
    return provenance.entryPoint();
  }

  @Override
  public final List<MetadataWarning> warnings() {
    return provenance.warnings();
  }

  @Override
  public final int zarrFormat() {
    return zarrFormat;
  }

  @Override
  public final JsonObject document() {
    return source.object();
  }

  @Override
  public final JsonObject attributes() {
    return attributes;
  }

  /** Returns the document of Zarr v3 with other attributes. */
  final LocatedJson documentWith(JsonObject others) {
    return new LocatedJson(document().with("attributes", others), source.location());
  }

  @Override
  public final String toString() {
    return document().toString();
  }
}
