package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of SpatialData. Immutable.
 *
 * @param kind what it is
 * @param name the name, which differs from those of the others of its kind
 * @param group the group that holds it
 * @param transforms the transformations from its own coordinates, one for each system; none of a
 *     table
 */
public record SpatialElement(
    Kind kind, String name, ZarrGroup group, List<SpatialTransform> transforms) {
  private static final String TRANSFORMS = "coordinateTransformations";

  /** Copies the list. */
  public SpatialElement {
    transforms = List.copyOf(transforms);
  }

  /** What an element is. */
  public enum Kind {
    /** An image of OME-Zarr. */
    IMAGE("images"),
    /** Labels of OME-Zarr: regions of pixels. */
    LABELS("labels"),
    /** Points, in files of Parquet. */
    POINTS("points"),
    /** Circles and polygons, in files of Parquet. */
    SHAPES("shapes"),
    /** A table of AnnData. */
    TABLE("tables");

    private final String directory;

    Kind(String directory) {
      this.directory = directory;
    }

    /** The name of the group that holds the elements of this kind. */
    public String directory() {
      return directory;
    }
  }

  static SpatialElement of(Kind kind, ZarrGroup group) {
    String path = group.path().value();
    String name = path.substring(path.lastIndexOf('/') + 1);
    return new SpatialElement(kind, name, group, transforms(group));
  }

  /** Finds the transformations: those of an image stand in its multiscale. */
  private static List<SpatialTransform> transforms(ZarrGroup group) {
    Location at = AnnEncoding.location(group).child("attributes");
    JsonValue found = group.attributes();
    if (found instanceof JsonObject object && object.get("ome") instanceof JsonObject ome) {
      found = ome;
      at = at.child("ome");
    }
    if (found instanceof JsonObject object
        && object.get("multiscales") instanceof JsonArray list
        && !list.elements().isEmpty()) {
      found = list.elements().get(0);
      at = at.child("multiscales").child("0");
    }
    @Nullable JsonValue transforms =
        found instanceof JsonObject object ? object.get(TRANSFORMS) : null;
    List<SpatialTransform> result = new ArrayList<>();
    if (transforms instanceof JsonArray list) {
      for (LocatedJson each : new LocatedJson(list, at.child(TRANSFORMS)).elements()) {
        result.add(new SpatialTransform(each));
      }
    }
    return result;
  }

  /** Returns the kind and the name, such as {@code images/slide}. */
  @Override
  public String toString() {
    return kind.directory() + "/" + name;
  }
}
