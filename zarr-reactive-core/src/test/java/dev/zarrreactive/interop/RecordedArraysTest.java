package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.OptionalType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads arrays of types that few programs have, as these programs wrote them: {@code
 * zarrs.optional} of zarrs, {@code ndarray} of zarr-vlen-ndarray. The programs that wrote the files
 * stand beside them.
 */
class RecordedArraysTest {
  record Recorded(String name, MemoryStore store, List<LocatedJson> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Recorded> arrays() throws IOException {
    return Stream.concat(recorded("optional.tsv"), recorded("vlen-ndarray.tsv"));
  }

  private static Stream<Recorded> recorded(String file) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            RecordedArraysTest.class.getResourceAsStream("/interop/recorded/" + file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(RecordedArraysTest::parse);
    }
  }

  private static Recorded parse(String line) {
    String[] parts = line.split("\t", -1);
    MemoryStore store = MemoryStore.create();
    json(parts[1])
        .members()
        .forEach(
            (key, value) ->
                store
                    .set(StoreKey.of(key), Bytes.wrap(Base64.getDecoder().decode(value.string())))
                    .block());
    return new Recorded(parts[0], store, json(parts[2]).elements());
  }

  private static LocatedJson json(String text) {
    return JsonDocument.parse(Bytes.utf8(text).asByteBuffer(), Location.UNKNOWN);
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void an_array_has_the_elements_that_its_program_sees(Recorded recorded) {
    ZarrArray array =
        Objects.requireNonNull(Zarr.hierarchy(recorded.store()).openArray("").block());
    assertElements(Objects.requireNonNull(array.read().block()), recorded);
  }

  @ParameterizedTest
  @MethodSource("arrays")
  void an_array_is_written_and_read_again(Recorded recorded) {
    ZarrArray array =
        Objects.requireNonNull(Zarr.hierarchy(recorded.store()).openArray("").block());
    NdArray elements = Objects.requireNonNull(array.read().block());
    MemoryStore copy = MemoryStore.create();
    ZarrArray written =
        Objects.requireNonNull(Zarr.hierarchy(copy).createArray("", array.metadata()).block());
    written.write(Selection.all(), elements).block();
    assertThat(written.metadata().document()).isEqualTo(array.metadata().document());
    assertElements(
        Objects.requireNonNull(
            Objects.requireNonNull(Zarr.hierarchy(copy).openArray("").block()).read().block()),
        recorded);
  }

  private static void assertElements(NdArray elements, Recorded recorded) {
    boolean isOptional = elements.dataType() instanceof OptionalType;
    for (int i = 0; i < recorded.expected().size(); i++) {
      JsonValue expected = recorded.expected().get(i).value();
      boolean isOfFloats = recorded.name().contains("float32");
      assertThat(text(elements.toJson(i), isOfFloats))
          .as("element %d", i)
          .isEqualTo(text(isOptional ? plain(expected) : expected, isOfFloats));
    }
  }

  /** Returns an element of zarrs, {@code [x]} for one that is there, as JSON has it here. */
  private static JsonValue plain(JsonValue expected) {
    if (!(expected instanceof JsonArray there)) {
      return expected;
    }
    JsonValue inner = plain(there.elements().get(0));
    return inner.equals(JsonNull.NULL) || inner instanceof JsonArray ? JsonArray.of(inner) : inner;
  }

  /** Returns the text of a value, whose numbers are spelled in one way. */
  private static String text(JsonValue value, boolean isOfFloats) {
    if (value instanceof JsonArray list) {
      return list.elements().stream().map(part -> text(part, isOfFloats)).toList().toString();
    } else if (value instanceof JsonNumber number) {
      double exact = number.toBigDecimal().doubleValue();
      return isOfFloats ? Float.toString((float) exact) : Double.toString(exact);
    }
    return value.toString();
  }
}
