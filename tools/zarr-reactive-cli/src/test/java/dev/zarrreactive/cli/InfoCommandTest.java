package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.Datetime64Type;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.NumpyUnit;
import dev.zarrreactive.datatype.StructField;
import dev.zarrreactive.datatype.StructType;
import dev.zarrreactive.datatype.TimeType;
import dev.zarrreactive.datatype.Timedelta64Type;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoCommandTest {
  @TempDir Path directory;

  @Test
  void an_array_is_described_field_by_field() {
    CommandRun run = zarr("info", EARTH + "/earth/rgb");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            array        %s/earth/rgb
            format       Zarr v3
            shape        [360, 720, 3]
            dimensions   lat, lon, band
            data type    uint8
            fill value   0
            chunk grid   regular, chunks of [60, 90, 3]
            chunks       48 = 6 x 8 x 1
            chunk keys   default, such as c/5/7/0
            codecs       bytes
                         blosc (typesize 1, cname zstd, clevel 9, shuffle noshuffle, blocksize 0)
            size         759.4 KiB in 777,600 elements, 15.8 KiB a chunk
            stored       426.1 KiB in 48 of 48 chunks, ratio 1.78
            attributes   {
                           "long_name": "the Earth as seen from space, without clouds",
                           "colour_space": "sRGB",
                           "bands": [ "red", "green", "blue" ],
                           "source": "NASA Blue Marble: Next Generation"
                         }
            """
                .formatted(EARTH));
    assertThat(run.err()).isEmpty();
  }

  @Test
  void a_group_is_described_with_the_number_of_its_children() {
    CommandRun run = zarr("info", EARTH + "/earth");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            group        %s/earth
            format       Zarr v3
            children     4 (0 groups, 4 arrays)
            place        EPSG:4326
            attributes   {
                           "projection": "equirectangular (plate carree), row 0 is the north, column 0 is 180 W",
                           "crs": "EPSG:4326"
                         }
            """
                .formatted(EARTH));
  }

  @Test
  void a_scalar_without_anything_is_described_too() {
    TestArrays.create(directory, Shape.SCALAR, DataTypes.FLOAT32, array -> array);
    assertThat(zarr("info", directory.toString()).out())
        .isEqualTo(
            """
            array        %s
            format       Zarr v3
            shape        []
            dimensions   unnamed
            data type    float32
            fill value   0.0
            chunk grid   regular, chunks of []
            chunks       1
            chunk keys   default, such as c
            codecs       bytes (endian little)
            size         4 bytes in 1 element, 4 bytes a chunk
            stored       0 bytes in 0 of 1 chunk
            attributes   none
            """
                .formatted(directory));
  }

  @Test
  void shards_are_called_shards_and_their_codecs_stand_in_words() {
    Path array = directory.resolve("a.zarr");
    CommandRun copy =
        zarr(
            "copy",
            EARTH + "/earth/relief",
            array.toString(),
            "--chunks=60,60",
            "--shards=360,360",
            "--codecs=zstd:9,crc32c",
            "--quiet");
    assertThat(copy.exitCode()).isZero();
    assertThat(zarr("info", array.toString()).out())
        .contains(
            """
            chunk grid   regular, shards of [360, 360]
            in a shard   36 chunks of [60, 60]
            shards       2 = 1 x 2
            shard keys   default, such as c/0/1
            codecs       sharding_indexed (chunk_shape [60,60], index_location end)
                           bytes (endian little)
                           zstd (level 9, checksum false)
                           crc32c
                         index: bytes (endian little), crc32c
            size         1012.5 KiB in 259,200 elements, 506.3 KiB a shard
            stored       377.7 KiB in 2 of 2 shards, ratio 2.68
            """);
    CommandRun stream = zarr("stream", "--in-order", array.toString());
    assertThat(stream.out())
        .startsWith("[0, 0] inner [0, 0]  0:60,0:60  min ")
        .contains("\n[0, 1] inner [5, 5]  300:360,660:720  min ");
  }

  @Test
  void nested_shards_are_printed_level_by_level() {
    String inner =
        "{\"name\": \"sharding_indexed\", \"configuration\": {\"chunk_shape\": %s, \"codecs\":"
            + " [%s], \"index_codecs\": [{\"name\": \"bytes\", \"configuration\": {\"endian\":"
            + " \"little\"}}], \"index_location\": \"start\"}}";
    String codecs = inner.formatted("[6, 6]", inner.formatted("[2, 3]", "{\"name\": \"bytes\"}"));
    CommandRun copy =
        zarr(
            "copy",
            EARTH + "/earth/rgb",
            directory + "/b.zarr",
            "--chunks=12,12,3",
            "--codecs",
            "[" + codecs.replace("3]", "3, 3]").replace("6]", "6, 3]") + "]",
            "--quiet");
    assertThat(copy.err()).isEmpty();
    assertThat(zarr("info", directory + "/b.zarr").out())
        .contains("in a shard   4 shards of [6, 6, 3], each of 6 chunks of [2, 3, 3]\n")
        .contains("               sharding_indexed (chunk_shape [2,3,3], index_location start)\n")
        .contains("                 bytes\n               index: bytes (endian little)\n");
  }

  @Test
  void a_missing_chunk_and_a_foreign_file_are_no_stored_chunks() throws IOException {
    TestArrays.write(
        directory, TestArrays.counting(DataTypes.INT16, Shape.of(6)), array -> array.chunkShape(2));
    Files.delete(directory.resolve("c/1"));
    Files.writeString(directory.resolve("c/3"), "beyond the grid");
    Files.writeString(directory.resolve("c/00"), "no key of a chunk");
    assertThat(zarr("info", directory.toString()).out())
        .contains("stored       8 bytes in 2 of 3 chunks, ratio 1.5\n");
  }

  @Test
  void a_rectilinear_grid_shows_its_largest_chunk_and_dimensions_may_lack_a_name() {
    NamedConfiguration grid =
        NamedConfiguration.of(
            "rectilinear",
            JsonObject.EMPTY
                .with("kind", "inline")
                .with(
                    "chunk_shapes",
                    JsonArray.of(
                        JsonArray.of(JsonNumber.of(2), JsonNumber.of(4), JsonNumber.of(1)),
                        JsonNumber.of(5))));
    TestArrays.create(
        directory,
        Shape.of(7, 10),
        DataTypes.INT16,
        array -> array.chunkGrid(grid).chunkKeyEncoding("v2", ".").dimensionNames("time", null));
    assertThat(zarr("info", directory.toString()).out())
        .contains("dimensions   time, -\n")
        .contains("chunk grid   rectilinear, chunks of at most [4, 5]\n")
        .contains("chunks       6 = 3 x 2\n")
        .contains("chunk keys   v2, such as 2.1\n")
        .contains("size         140 bytes in 70 elements, 40 bytes a chunk\n");
  }

  @Test
  void types_have_their_parameters_and_fill_values_are_spelled_as_read_spells_elements() {
    Datetime64Type seconds = new Datetime64Type(NumpyUnit.SECOND, 1);
    StructType struct =
        new StructType(
            List.of(
                new StructField("id", DataTypes.INT32),
                new StructField("v", DataTypes.FLOAT64),
                new StructField("at", seconds)));
    JsonNumber nat = JsonNumber.of(TimeType.NAT);
    Object[][] cases = {
      {seconds, nat, "numpy.datetime64[s]", "NaT"},
      {seconds, JsonNumber.of(86_400), "numpy.datetime64[s]", "1970-01-02T00:00:00"},
      {
        new Timedelta64Type(NumpyUnit.DAY, 7), new JsonString("NaT"), "numpy.timedelta64[7D]", "NaT"
      },
      {DataTypes.FLOAT32, new JsonString("NaN"), "float32", "NaN"},
      {DataTypes.FLOAT32, new JsonString("-Infinity"), "float32", "-Infinity"},
      {
        DataTypes.COMPLEX64,
        JsonArray.of(new JsonString("NaN"), JsonNumber.of(1)),
        "complex64",
        "[NaN, 1.0]"
      },
      {
        struct,
        JsonObject.EMPTY.with("id", 7).with("v", new JsonString("NaN")).with("at", nat),
        "struct{id: int32, v: float64, at: numpy.datetime64[s]}",
        "{id: 7, v: NaN, at: NaT}"
      },
    };
    int number = 0;
    for (Object[] each : cases) {
      DataType type = (DataType) each[0];
      Path array = directory.resolve("a" + number++);
      TestArrays.create(
          array,
          Shape.of(2),
          type,
          settings -> settings.fillValue(fillValue(type, (JsonValue) each[1])));
      assertThat(zarr("info", array.toString()).out())
          .contains("data type    " + each[2] + "\n", "fill value   " + each[3] + "\n");
    }
  }

  private static FillValue fillValue(DataType type, JsonValue value) {
    byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
    return type.parseFillValue(JsonDocument.parse(ByteBuffer.wrap(utf8), Location.UNKNOWN));
  }

  @Test
  void the_dimensions_of_zarr_v2_have_the_names_that_xarray_wrote() throws IOException {
    Files.writeString(
        directory.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": [2, 3], "chunks": [2, 3], "dtype": "<i2", "fill_value": 0,
         "order": "C", "compressor": null, "filters": null}
        """);
    Path attributes = directory.resolve(".zattrs");
    Files.writeString(attributes, "{\"_ARRAY_DIMENSIONS\": [\"lat\", \"lon\"]}");
    assertThat(zarr("info", directory.toString()).out())
        .contains("dimensions   lat, lon (attribute _ARRAY_DIMENSIONS)\n");
    for (String others : new String[] {"{}", "{\"_ARRAY_DIMENSIONS\": [\"lat\"]}"}) {
      Files.writeString(attributes, others);
      assertThat(zarr("info", directory.toString()).out()).contains("dimensions   unnamed\n");
    }
  }

  @Test
  void json_prints_the_metadata_document() throws IOException {
    CommandRun run = zarr("info", "--json", EARTH + "/earth/lon");
    assertThat(run.exitCode()).isZero();
    assertThat(json(run.output()))
        .isEqualTo(json(Files.readAllBytes(EARTH.resolve("earth/lon/zarr.json"))));
    assertThat(run.out()).startsWith("{\n  \"shape\": ").endsWith("}\n");
  }

  private static JsonValue json(byte[] document) {
    return JsonDocument.parse(ByteBuffer.wrap(document), Location.UNKNOWN).value();
  }

  @Test
  void an_array_of_an_unknown_codec_or_data_type_shows_what_is_written_of_it() throws IOException {
    TestArrays.create(directory, Shape.of(3), DataTypes.INT8, array -> array);
    Path file = directory.resolve("zarr.json");
    String known = Files.readString(file);
    for (String change : new String[] {"\"int8\" \"int7\"", "\"bytes\" \"tomorrow\""}) {
      String[] names = change.split(" ");
      Files.writeString(file, known.replace(names[0], names[1]));
      CommandRun run = zarr("info", directory.toString());
      assertThat(run.exitCode()).isOne();
      assertThat(run.out())
          .startsWith("array        " + directory + "\nformat       Zarr v3\nmetadata     {\n")
          .contains(names[1])
          .endsWith("attributes   none\n");
      assertThat(run.err()).startsWith("zarr: error: " + directory + ": ").contains(names[1]);
      assertThat(run.err().lines()).hasSize(1);
      CommandRun document = zarr("info", "--json", directory.toString());
      assertThat(document.exitCode()).isOne();
      assertThat(json(document.output())).isEqualTo(json(Files.readAllBytes(file)));
    }
  }

  @Test
  void what_is_no_json_has_nothing_to_show_but_its_error() throws IOException {
    Files.writeString(directory.resolve("zarr.json"), "{");
    CommandRun run = zarr("info", directory.toString());
    assertThat(run.exitCode()).isOne();
    assertThat(run.out()).endsWith("metadata     not a JSON object\n");
    assertThat(run.err()).contains("not JSON: the document is cut short");
    assertThat(zarr("info", "--json", directory.toString()).out()).isEmpty();
  }

  @Test
  void a_group_counts_children_that_cannot_be_opened_and_says_what_is_consolidated()
      throws IOException {
    TestArrays.create(directory.resolve("a"), Shape.of(3), DataTypes.INT8, array -> array);
    Files.createDirectories(directory.resolve("b"));
    Files.writeString(directory.resolve("b/.zarray"), "{}");
    Files.writeString(directory.resolve(".zgroup"), "{\"zarr_format\": 2}");
    assertThat(zarr("info", directory.toString()).out())
        .contains("format       Zarr v2\n")
        .contains("children     2 (0 groups, 1 array, 1 that cannot be opened)\n");
    Files.writeString(directory.resolve(".zmetadata"), "{");
    assertThat(zarr("info", directory.toString()).out())
        .contains("consolidated not used: not JSON: the document is cut short")
        .contains("children     2 (");
  }

  @Test
  void a_file_uri_names_a_directory_too() {
    String uri = EARTH.resolve("earth/lat").toUri().toString();
    assertThat(zarr("info", uri).out()).startsWith("array        " + uri + "\n");
  }

  @Test
  void control_characters_are_escaped() {
    TestArrays.create(
        directory,
        Shape.of(1),
        DataTypes.INT8,
        array ->
            array
                .dimensionNames("\u001b[2J\n")
                .attributes(JsonObject.EMPTY.with("title", "\u001b]0;x\u0007\u009b2J")));
    CommandRun run = zarr("info", directory.toString());
    assertThat(run.out())
        .contains("dimensions   \\u001b[2J\\u000a\n")
        .contains("x\\u0007\\u009b2J");
    assertThat(run.out().replace("\n", "").chars()).noneMatch(Character::isISOControl);
  }

  @Test
  void names_of_fields_stand_out_on_a_terminal_unless_the_user_says_no() {
    String path = EARTH.toString();
    assertThat(CommandRun.on(CommandRun.TERMINAL, "info", path).out())
        .startsWith("\u001b[1mgroup\u001b[0m        ");
    assertThat(CommandRun.on(CommandRun.TERMINAL, "info", path, "--color", "never").out())
        .startsWith("group        ");
    assertThat(zarr("--color", "always", "info", path).out()).startsWith("\u001b[1mgroup");
  }
}
