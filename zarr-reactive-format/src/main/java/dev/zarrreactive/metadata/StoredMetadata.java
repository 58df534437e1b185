package dev.zarrreactive.metadata;

import dev.zarrreactive.error.Location;
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

  /**
   * The draft that a node's metadata follow, and their deviations from the specification.
   *
   * @param draft the draft that the node follows, or null
   * @param entryPoint the entry point of the node's hierarchy, or null if its keys are those of
   *     Zarr
   * @param warnings the deviations of the node's documents from the specification
   */
  record Provenance(
      @Nullable Draft draft, @Nullable EntryPoint entryPoint, List<MetadataWarning> warnings) {
    /** The provenance of metadata that follow the specification. */
    static Provenance of(Leniencies leniencies) {
      return new Provenance(
          leniencies.isTaken() ? leniencies.draft() : null, null, leniencies.warnings());
    }

    /**
     * Checks that a document may be changed.
     *
     * @throws dev.zarrreactive.error.UnsupportedFeatureException if it follows a draft
     */
    void checkWritable(Location place) {
      if (draft != null) {
        throw draft.refusesWrites(place);
      }
    }
  }
}
