package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Mono;

/** A well of a plate, with the images that were taken in it. Immutable and thread-safe. */
public final class OmeWell {
  private final ZarrGroup group;
  private final List<OmeMetadata.Field> fields;

  private OmeWell(ZarrGroup group, List<OmeMetadata.Field> fields) {
    this.group = group;
    this.fields = fields;
  }

  /**
   * Returns the well of a group.
   *
   * @throws dev.zarrreactive.error.MetadataException if the group is none, or if a problem of its
   *     attributes {@linkplain OmeProblem#stopsReading stops reading}
   */
  public static OmeWell of(ZarrGroup group) {
    OmeMetadata metadata = OmeMetadata.of(group);
    metadata.checkReadable();
    if (metadata.fields().isEmpty()) {
      throw metadata.refused("the group is no well: its attributes lack one");
    }
    return new OmeWell(group, metadata.fields());
  }

  /** The group of the well. */
  public ZarrGroup group() {
    return group;
  }

  /** The images, in the order of the attributes. */
  public List<OmeMetadata.Field> fields() {
    return fields;
  }

  /**
   * Opens an image by its place in {@link #fields}; as {@link OmeImage#of(ZarrGroup)}.
   *
   * @throws IndexOutOfBoundsException if the well has fewer images
   */
  public Mono<OmeImage> image(int field) {
    String path = fields.get(Objects.checkIndex(field, fields.size())).path();
    return group.openGroup(path).flatMap(OmeImage::of);
  }

  /**
   * Opens the first image that can be opened. Earlier images are among its {@linkplain
   * OmeImage#gaps gaps}; if there is none, the error is that of the first one.
   */
  public Mono<OmeImage> firstImage() {
    return OmeImage.first(group, fields.stream().map(OmeMetadata.Field::path).toList());
  }
}
