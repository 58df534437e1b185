package dev.zarrreactive.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.GroupMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** Both Jacksons write the documents as they are, and read them back. */
class ZarrJacksonTest {
  private static final JsonObject UNITS =
      JsonObject.EMPTY
          .with("units", "K")
          .with("big", new JsonNumber("18446744073709551615"))
          .with("exact", new JsonNumber("1.10"));

  enum Jackson {
    TWO {
      private final ObjectMapper mapper = new ObjectMapper().findAndRegisterModules();

      @Override
      String write(Object value) throws Exception {
        return mapper.writeValueAsString(value);
      }

      @Override
      <T> T read(String json, Class<T> type) throws Exception {
        return mapper.readValue(json, type);
      }
    },
    THREE {
      private final JsonMapper mapper = JsonMapper.builder().findAndAddModules().build();

      @Override
      String write(Object value) {
        return mapper.writeValueAsString(value);
      }

      @Override
      <T> T read(String json, Class<T> type) {
        return mapper.readValue(json, type);
      }
    };

    abstract String write(Object value) throws Exception;

    abstract <T> T read(String json, Class<T> type) throws Exception;
  }

  /** A response of a service. */
  record Answer(Shape shape, DataType type, JsonObject attributes) {}

  private static List<NodeMetadata> nodes() {
    return Stream.<NodeMetadata>of(
            ArrayMetadata.v3(Shape.of(4, 5), DataTypes.FLOAT32).attributes(UNITS).build(),
            ArrayMetadata.v2(Shape.of(7), DataTypes.INT16).build(),
            GroupMetadata.of(UNITS),
            GroupMetadata.of(2, JsonObject.EMPTY))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void metadata_are_written_as_their_document_and_read_back(Jackson jackson) throws Exception {
    for (NodeMetadata node : nodes()) {
      String json = jackson.write(node);
      assertThat(json).isEqualTo(node.document().toString());
      NodeMetadata read = jackson.read(json, node.getClass());
      assertThat(read.document()).isEqualTo(node.document());
    }
  }

  @ParameterizedTest
  @EnumSource
  void parts_of_a_document_stand_in_a_response(Jackson jackson) throws Exception {
    assertThat(jackson.write(new Answer(Shape.of(4, 5), DataTypes.FLOAT32, UNITS)))
        .isEqualTo(
            "{\"shape\":[4,5],\"type\":\"float32\",\"attributes\":{\"units\":\"K\","
                + "\"big\":18446744073709551615,\"exact\":1.10}}");
  }

  @ParameterizedTest
  @EnumSource
  void attributes_keep_the_spelling_of_numbers(Jackson jackson) throws Exception {
    assertThat(jackson.read(jackson.write(UNITS), JsonObject.class)).isEqualTo(UNITS);
  }

  /** A response with elements. */
  record Elements(NdArray array, Chunk chunk) {}

  @ParameterizedTest
  @EnumSource
  void arrays_and_chunks_are_written_with_their_values(Jackson jackson) throws Exception {
    NdArray array = NdArray.ofDoubles(Shape.of(2, 2), 1.5, Double.NaN, -0.0, 1e300);
    ResolvedSelection place = Selection.parse("4:6,2:4").resolve(Shape.of(9, 9));
    Chunk plain = new Chunk(new long[] {2, 1}, place, array);
    String values = "[[1.5,\"NaN\"],[-0.0,1.0E300]]";
    assertThat(jackson.write(new Elements(array, plain)))
        .isEqualTo(
            "{\"array\":"
                + values
                + ",\"chunk\":{\"index\":[2,1],\"selection\":\"4:6,2:4\",\"shape\":[2,2],"
                + "\"values\":"
                + values
                + "}}");
    assertThat(jackson.write(new Chunk(new long[] {2, 1}, new long[] {0, 3}, place, array)))
        .startsWith("{\"index\":[2,1],\"inner_index\":[0,3],\"selection\"");
    NdArray none = NdArray.ofDoubles(Shape.of(0, 3));
    assertThat(jackson.write(none)).isEqualTo("[]");
    assertThat(jackson.write(NdArray.ofDoubles(Shape.of(), 7))).isEqualTo("7.0");
  }

  @ParameterizedTest
  @EnumSource
  void a_document_that_breaks_a_rule_is_an_error_with_its_reason(Jackson jackson) {
    assertThatThrownBy(
            () -> jackson.read("{\"zarr_format\":3,\"node_type\":\"array\"}", ArrayMetadata.class))
        .hasMessageContaining("is missing")
        .hasCauseInstanceOf(ZarrException.class);
  }

  @ParameterizedTest
  @EnumSource
  void a_group_is_no_array(Jackson jackson) {
    assertThatThrownBy(
            () -> jackson.read("{\"zarr_format\":3,\"node_type\":\"group\"}", ArrayMetadata.class))
        .hasMessageContaining("expected the JSON of ArrayMetadata");
  }
}
