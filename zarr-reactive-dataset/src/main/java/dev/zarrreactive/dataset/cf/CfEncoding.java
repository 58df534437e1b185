package dev.zarrreactive.dataset.cf;

import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.metadata.DimensionNames;
import dev.zarrreactive.store.Bytes;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A format that gets decoded elements: numbers as chunks are read, others when the first part of a
 * band is encoded.
 *
 * @param datesAsText true to give dates as texts, see {@link CfDecoding#withDatesAsText}
 */
record CfEncoding(CfDecoding decoding, Encoding encoding, boolean datesAsText) implements Encoding {
  @Override
  public String mediaType() {
    return encoding.mediaType();
  }

  @Override
  public String fileSuffix() {
    return encoding.fileSuffix();
  }

  @Override
  public OptionalLong length(ArrayMetadata array, Selection selection) {
    return encoding.length(decoded(array), selection);
  }

  @Override
  public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
    return new DecodingEncoder(encoding.encoder(decoded(array), selection));
  }

  /** Returns metadata with the decoded type, and the names of the dimensions. */
  private ArrayMetadata decoded(ArrayMetadata array) {
    boolean isText = datesAsText && decoding.hasDates();
    DataType type = isText ? DataTypes.STRING : decoding.dataType();
    ArrayMetadataBuilder builder = ArrayMetadata.v3(array.shape(), type);
    return builder.dimensionNames(DimensionNames.of(array).toArray()).build();
  }

  /** Passes decoded bands on. Numbers come decoded; other elements are decoded band by band. */
  private final class DecodingEncoder implements Encoder {
    private final Encoder encoder;
    private final Optional<ElementConversion> conversion = decoding.conversion();
    private final boolean isPlain = conversion.isPresent() && !(datesAsText && decoding.hasDates());
    private @Nullable NdArray stored;
    private @Nullable NdArray values;

    DecodingEncoder(Encoder encoder) {
      this.encoder = encoder;
    }

    @Override
    public Bytes begin() {
      return encoder.begin();
    }

    @Override
    public Optional<ElementConversion> conversion() {
      return conversion;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the parts of a band come one after the other
    public Part encode(NdArray band, int from, int size) {
      if (isPlain) {
        return encoder.encode(band, from, size);
      }
      NdArray decoded = values;
      if (decoded == null || stored != band) {
        decoded = decoded(band);
        stored = band;
        values = decoded;
      }
      return encoder.encode(decoded, from, size);
    }

    private NdArray decoded(NdArray band) {
      NdArray decoded = conversion.isPresent() ? band : decoding.decode(band);
      return datesAsText ? decoding.withDatesAsText(decoded) : decoded;
    }

    @Override
    public Bytes end() {
      return encoder.end();
    }

    @Override
    public boolean isView() {
      return isPlain && encoder.isView();
    }

    @Override
    public boolean isFixedSize() {
      return isPlain && encoder.isFixedSize();
    }
  }
}
