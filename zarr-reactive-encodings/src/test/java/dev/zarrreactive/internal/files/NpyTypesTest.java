package dev.zarrreactive.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.NullTerminatedBytesType;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Data types in the words of NumPy. */
class NpyTypesTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "\"bool\" ; '|b1'",
        "\"uint8\" ; '|u1'",
        "\"int32\" ; '<i4'",
        "\"float16\" ; '<f2'",
        "\"complex_float32\" ; '<c8'",
        "\"r24\" ; '|V3'",
        // what NumPy does not have
        "\"int4\" ; '|V1'",
        "\"bfloat16\" ; '|V2'",
        "\"float8_e4m3\" ; '|V1'",
        "\"complex_float16\" ; '|V4'",
        "{\"name\": \"numpy.datetime64\", \"configuration\": {\"unit\": \"us\", \"scale_factor\": 10}} ; '<M8[10us]'",
        "{\"name\": \"numpy.timedelta64\", \"configuration\": {\"unit\": \"s\", \"scale_factor\": 1}} ; '<m8[s]'",
        "{\"name\": \"numpy.timedelta64\", \"configuration\": {\"unit\": \"generic\", \"scale_factor\": 1}} ; '<m8'",
        "{\"name\": \"fixed_length_utf32\", \"configuration\": {\"length_bytes\": 12}} ; '<U3'",
        "{\"name\": \"null_terminated_bytes\", \"configuration\": {\"length_bytes\": 5}} ; '|S5'",
        "{\"name\": \"raw_bytes\", \"configuration\": {\"length_bytes\": 5}} ; '|V5'",
        "{\"name\": \"struct\", \"configuration\": {\"fields\": [{\"name\": \"na\\u00efve'\", \"data_type\": \"int8\"}, {\"name\": \"n\", \"data_type\": {\"name\": \"struct\", \"configuration\": {\"fields\": [{\"name\": \"p\", \"data_type\": \"float32\"}]}}}]}} ; [('na\\U000000efve\\U00000027', '|i1'), ('n', [('p', '<f4')])]",
      })
  void a_description_is_what_numpy_says(String dataType, String description) {
    NamedConfiguration name =
        NamedConfiguration.parse(
            JsonDocument.parse(Bytes.utf8(dataType).asByteBuffer(), Location.UNKNOWN));
    assertThat(NpyTypes.describe(DataTypes.parse(name))).isEqualTo(description);
  }

  @Property(tries = 200)
  void what_is_described_is_read_as_the_same_type(@ForAll("types") DataType type) {
    ItemLayout layout = NpyTypes.layout(PythonLiteral.parse(NpyTypes.describe(type)));
    assertThat(layout.fileSize()).isEqualTo(type.itemSize());
    assertThat(layout.dataType()).isEqualTo(type);
  }

  @Provide
  Arbitrary<DataType> types() {
    Arbitrary<DataType> plain =
        Arbitraries.of(
            Stream.concat(
                    DataTypes.named().stream()
                        .filter(type -> !NpyTypes.describe(type).startsWith("'|V"))
                        .filter(type -> !type.name().startsWith("complex_")), // as complex64
                    Stream.of(
                        DataTypes.raw(24),
                        DataTypes.fixedLengthUtf32(3),
                        new NullTerminatedBytesType(5),
                        DataTypes.datetime64(NumpyUnit.SECOND, 10),
                        DataTypes.timedelta64(NumpyUnit.GENERIC, 1)))
                .toList());
    return Arbitraries.lazyOf(
        () -> plain,
        () ->
            Combinators.combine(Arbitraries.strings().ofMinLength(1).ofMaxLength(9), types())
                .as((name, type) -> DataTypes.struct(new StructField(name, type))));
  }
}
