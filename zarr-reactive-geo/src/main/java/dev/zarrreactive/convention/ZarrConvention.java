package dev.zarrreactive.convention;

import dev.zarrreactive.json.JsonObject;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A convention for attributes that has a stable identity (specification of Zarr conventions). It is
 * found by its UUID, and without one by a URL that it has had.
 */
public enum ZarrConvention {
  /** Reference systems of coordinates on the Earth; attributes that begin with {@code proj:}. */
  PROJ(
      "f17cb550-5864-4468-aeb7-f3180cfb622f",
      "proj:",
      "Coordinate reference system information for geospatial data",
      "zarr-conventions/proj",
      "v0.1",
      "zarr-conventions/geo-proj zarr-experimental/geo-proj"),
  /** Coordinates of pixels; attributes that begin with {@code spatial:}. */
  SPATIAL(
      "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4",
      "spatial:",
      "Spatial coordinate information",
      "zarr-conventions/spatial",
      "v0.1",
      ""),
  /** Levels of resolution; the attribute {@code multiscales}. */
  MULTISCALES(
      "d35379db-88df-4056-af3a-620245f8e347",
      "multiscales",
      "Multiscale layout of zarr datasets",
      "zarr-conventions/multiscales",
      "v0.1",
      ""),
  /** Units of measurement; the attribute {@code uom}. */
  UOM(
      "3bbe438d-df37-49fe-8e2b-739296d46dfb",
      "uom",
      "Units of measurement for Zarr arrays",
      "clbarnes/zarr-convention-uom",
      "v1",
      "zarr-conventions/uom"),
  /** The licence of data; the attribute {@code license}. */
  LICENSE(
      "b77365e5-2b0c-4141-b917-c03b7c68e935",
      "license",
      "License specifier for Zarr data",
      "clbarnes/zarr-convention-license",
      "v1",
      "zarr-conventions/license"),
  /** An item or a collection of STAC; attributes that begin with {@code stac:}. */
  STAC(
      "b3703368-7e7e-4e8e-9e0e-6d0f0d5e8e8e",
      "stac:",
      "STAC convention for embedding or referencing STAC objects in Zarr group metadata",
      "zarr-conventions/stac",
      "v0.1",
      "");

  private final String uuid;
  private final String attribute;
  private final String description;
  private final String repository;
  private final String tag;

  /** The repositories that it has had, with blanks between them. */
  private final String otherRepositories;

  ZarrConvention(
      String uuid,
      String attribute,
      String description,
      String repository,
      String tag,
      String otherRepositories) {
    this.uuid = uuid;
    this.attribute = attribute;
    this.description = description;
    this.repository = repository;
    this.tag = tag;
    this.otherRepositories = otherRepositories;
  }

  /** The UUID, which identifies the convention in all its versions. */
  public String uuid() {
    return uuid;
  }

  /**
   * The name in attributes: a prefix such as {@code proj:}, or an attribute such as {@code uom}.
   */
  public String attribute() {
    return attribute;
  }

  /** The name in a declaration, such as {@code proj}. */
  public String conventionName() {
    return this == STAC ? attribute : attribute.replace(":", "");
  }

  /** Returns true if the attributes have one of the convention's own. */
  public boolean isUsedIn(JsonObject attributes) {
    return attribute.endsWith(":")
        ? attributes.members().keySet().stream().anyMatch(name -> name.startsWith(attribute))
        : this == MULTISCALES
            ? attributes.get(attribute) instanceof JsonObject
            : attributes.get(attribute) != null;
  }

  /** Returns what declares the convention in the list {@code zarr_conventions}. */
  public JsonObject declaration() {
    JsonObject declaration =
        JsonObject.EMPTY
            .with(
                "schema_url",
                "https://raw.githubusercontent.com/"
                    + repository
                    + "/refs/tags/"
                    + tag
                    + "/schema.json")
            .with("spec_url", "https://github.com/" + repository + "/blob/" + tag + "/README.md")
            .with("uuid", uuid)
            .with("name", conventionName());
    return description.isEmpty() ? declaration : declaration.with("description", description);
  }

  /** Returns the convention of a UUID, or where that is empty the one of a URL of any version. */
  static Optional<ZarrConvention> find(String uuid, String schemaUrl, String specUrl) {
    for (ZarrConvention convention : values()) {
      if (uuid.isEmpty()
          ? convention.isAt(schemaUrl) || convention.isAt(specUrl)
          : convention.uuid.equalsIgnoreCase(uuid)) {
        return Optional.of(convention);
      }
    }
    return Optional.empty();
  }

  private boolean isAt(String url) {
    return Stream.concat(Stream.of(repository), Stream.of(otherRepositories.split(" ", -1)))
        .anyMatch(known -> !known.isEmpty() && url.contains("/" + known + "/"));
  }
}
