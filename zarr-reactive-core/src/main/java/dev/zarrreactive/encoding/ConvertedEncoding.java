package dev.zarrreactive.encoding;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.DimensionNames;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/** A format of converted elements. */
record ConvertedEncoding(Encoding format, ElementConversion by) implements Encoding {
  ConvertedEncoding {
    if (format.conversion().isPresent()) {
      throw new IllegalArgumentException("a format converts elements once");
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
    return format.length(converted(array), by.joined().isEmpty() ? selection : Selection.all());
  }

  @Override
  public Optional<ElementConversion> conversion() {
    return Optional.of(by);
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    return format.encoder(converted(array), converted(selection));
  }

  /** Returns metadata with the type of the results, and the names of their dimensions. */
  private ArrayMetadata converted(ArrayMetadata array) {
    Shape shape = by.shape(array.shape());
    return ArrayMetadata.v3(shape, by.target())
        .dimensionNames(Arrays.copyOf(DimensionNames.of(array).toArray(), shape.rank()))
        .build();
  }

  /** Returns the selection of the results: without the dimension that is joined. */
  private ResolvedSelection converted(ResolvedSelection selection) {
    if (by.joined().isEmpty()) {
      return selection;
    }
    by.shape(selection.shape());
    if (!(selection instanceof ResolvedSelection.Orthogonal box)) {
      throw new IllegalArgumentException("points select no elements that are joined; select boxes");
    }
    return new ResolvedSelection.Orthogonal(box.axes().subList(0, box.axes().size() - 1));
  }
}
