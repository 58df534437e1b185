package dev.zarrreactive.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.codec.ArrayToBytesCodecContract;
import java.util.List;
import java.util.stream.Stream;

/** The codec of JPEG keeps the contract of codecs: on many threads, and with hostile bytes. */
class JpegContractsTest extends ArrayToBytesCodecContract {
  @Override
  protected ArrayToBytesCodec codec() {
    return (ArrayToBytesCodec)
        CodecRegistry.standard().create(Json.extension("imagecodecs_jpeg", "{'level': 80}"));
  }

  @Override
  protected List<ChunkRepresentation> representations() {
    return Stream.of(Shape.SCALAR, Shape.of(7), Shape.of(3, 5), Shape.of(1, 16, 9, 3))
        .map(
            shape ->
                new ChunkRepresentation(shape, DataTypes.UINT8, FillValue.zero(DataTypes.UINT8)))
        .toList();
  }

  /** JPEG loses bits each time; type and shape stay. */
  @Override
  protected void assertDecoded(NdArray decoded, NdArray chunk) {
    assertThat(decoded.dataType()).isEqualTo(chunk.dataType());
    assertThat(decoded.shape()).isEqualTo(chunk.shape());
  }
}
