package dev.zarrreactive.cf;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A format of decoded values has the bytes of the same format of an array that stores them. */
class DecodedFormatsTest {
  private static final Shape SHAPE = Shape.of(30, 40);
  private static final Selection PART = Selection.parse("3:29,::3");
  private static final List<String> ATTRIBUTES =
      List.of(
          "{'_FillValue': 7}",
          "{'_FillValue': 7, 'scale_factor': 0.5, 'add_offset': 285}",
          "{'scale_factor': 2}", // whole numbers
          "{'units': 'hours'}",
          "{'units': 'days since 2001-01-01', '_FillValue': 7}");

  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());

  /** Bands of a few rows: the budget has room for little more than a chunk. */
  private final ZarrHierarchy hierarchy =
      Zarr.hierarchy(store, ZarrOptions.defaults().withMaxInFlightBytes(8_000));

  private int created;

  private ZarrArray array(String path, DataType type, String attributes) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(SHAPE, type)
            .chunkShape(4, 10)
            .dimensionNames("y", "x")
            .attributes(Json.object(attributes))
            .build();
    return requireNonNull(await(hierarchy.createArray(path, metadata)));
  }

  private ZarrArray stored(String attributes) {
    ZarrArray array = array("stored" + created++, DataTypes.INT16, attributes);
    int[] values = new int[30 * 40];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 23;
    }
    NdArray data = NdArray.ofInts(DataTypes.INT32, SHAPE, values).cast(DataTypes.INT16);
    await(array.write(Selection.parse("4:"), data.slice(Selection.parse("4:")))); // some missing
    return array;
  }

  @Property(tries = 40)
  void a_format_has_the_decoded_values(@ForAll @IntRange(max = 4) int kind) {
    String attributes = ATTRIBUTES.get(kind);
    ZarrArray stored = stored(attributes);
    CfDecoding decoding = CfDecoding.of(stored.metadata());
    NdArray values = requireNonNull(await(decoding.read(stored, Selection.all())));
    ZarrArray decoded = array("decoded" + created++, decoding.dataType(), "{}");
    await(decoded.write(Selection.all(), values));
    for (Encoding format :
        List.of(
            Encodings.npy(),
            Encoding.raw(ByteOrder.BIG_ENDIAN),
            Encoding.raw(ByteOrder.LITTLE_ENDIAN),
            Encodings.csv())) {
      Encoding before = decoding.before(format, false);
      assertThat(text(await(stored.encode(PART, before, 300))))
          .as(attributes)
          .isEqualTo(text(await(decoded.encode(PART, format, 300))));
      long size = await(stored.encode(PART, before, 300)).stream().mapToLong(Bytes::size).sum();
      before.length(stored.metadata(), PART).ifPresent(n -> assertThat(n).isEqualTo(size));
    }
    Encoding npy = decoding.before(Encodings.npy(), false);
    assertThat(text(await(stored.encode(PART, npy, 150, 900, 70))))
        .isEqualTo(text(await(decoded.encode(PART, Encodings.npy(), 150, 900, 70))));
    eventually("no bytes are in flight", () -> hierarchy.bytesInFlight() == 0);
  }

  @Example
  void texts_are_decoded_in_formats_of_text() {
    DataType type = new NullTerminatedBytesType(3);
    ZarrArray stored = array("texts", type, "{'_Encoding': 'utf-8'}");
    NdArray block = NdArray.filled(Shape.of(4, 40), FillValue.of(type, "ab\0".getBytes(UTF_8)));
    await(stored.write(Selection.parse("2:6"), block));
    CfDecoding decoding = CfDecoding.of(stored.metadata());
    NdArray values = requireNonNull(await(decoding.read(stored, Selection.parse("1:3,0"))));
    assertThat(values.toStringArray()).containsExactly("", "ab");
    Encoding csv = decoding.before(Encodings.csv(), true);
    assertThat(text(await(stored.encode(Selection.parse("1:3,0"), csv, 300))))
        .isEqualTo("y,x,value\r\n1,0,\"\"\r\n2,0,ab\r\n");
  }

  @Example
  void dates_are_texts_in_formats_of_text() {
    ZarrArray stored = stored("{'units': 'days since 2001-01-01', '_FillValue': 7}");
    Encoding csv = CfDecoding.of(stored.metadata()).before(Encodings.csv(), true);
    assertThat(text(await(stored.encode(Selection.parse("4,0:10"), csv, 300))))
        .startsWith("y,x,value\r\n4,0,2001-01-23")
        .contains("\r\n4,8,NaT\r\n");
  }

  @Example
  void a_failed_request_is_an_error_and_no_missing_value() {
    ZarrArray stored = stored(ATTRIBUTES.get(1));
    Encoding npy = CfDecoding.of(stored.metadata()).before(Encodings.npy(), false);
    store.failNext(
        1,
        request -> request.target().contains("/c/4/"),
        () -> new TransientStoreException("busy", Location.UNKNOWN));
    assertThatExceptionOfType(TransientStoreException.class)
        .isThrownBy(() -> await(stored.encode(Selection.all(), npy, 300)));
    eventually("no bytes are in flight", () -> hierarchy.bytesInFlight() == 0);
  }

  private static String text(List<Bytes> pieces) {
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(Bytes::size).sum());
    pieces.forEach(piece -> all.put(piece.asByteBuffer()));
    return new String(all.array(), StandardCharsets.ISO_8859_1);
  }
}
