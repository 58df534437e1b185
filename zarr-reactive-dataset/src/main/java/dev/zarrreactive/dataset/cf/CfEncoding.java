package dev.zarrreactive.dataset.cf;

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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A format that gets decoded elements. A band is decoded when its first part is encoded.
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

  private final class DecodingEncoder implements Encoder {
    private final Encoder encoder;
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
    @SuppressWarnings("ReferenceEquality") // the parts of a band come one after the other
    public Part encode(NdArray band, int from, int size) {
      NdArray decoded = values;
      if (decoded == null || stored != band) {
        decoded = decoding.decode(band);
        decoded = datesAsText ? decoding.withDatesAsText(decoded) : decoded;
        stored = band;
        values = decoded;
      }
      return encoder.encode(decoded, from, size);
    }

    @Override
    public Bytes end() {
      return encoder.end();
    }
  }
}
