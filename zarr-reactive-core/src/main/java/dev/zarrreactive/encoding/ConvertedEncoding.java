package dev.zarrreactive.encoding;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.Optional;
import java.util.OptionalLong;

/** A format of converted elements. */
record ConvertedEncoding(Encoding format, ElementConversion by) implements Encoding {
  ConvertedEncoding {
    if (by.joined().isPresent() || format.conversion().isPresent()) {
      throw new IllegalArgumentException(
          "a format converts elements once and one for one; read(selection) joins them");
    }
  }

  @Override
  public String mediaType() {
    return format.mediaType();
  }

  @Override
  public String fileSuffix() {
    return format.fileSuffix();
  }

  @Override
  public OptionalLong length(ArrayMetadata array, Selection selection) {
    return format.length(converted(array), selection);
  }

  @Override
  public Optional<ElementConversion> conversion() {
    return Optional.of(by);
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    return format.encoder(converted(array), selection);
  }

  /** Returns metadata with the type of the results, and the names of the dimensions. */
  private ArrayMetadata converted(ArrayMetadata array) {
    return ArrayMetadata.v3(array.shape(), by.target())
        .dimensionNames(DimensionNames.of(array).toArray())
        .build();
  }
}
