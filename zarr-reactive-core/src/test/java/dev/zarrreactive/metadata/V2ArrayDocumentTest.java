package dev.zarrreactive.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand in a {@code .zarray}. Each case is one change to a document that opens. */
class V2ArrayDocumentTest {
  private static final JsonObject DOCUMENT =
      Json.object(
          """
          {
            'zarr_format': 2,
            'shape': [10, 20],
            'chunks': [5, 5],
            'dtype': '<i4',
            'compressor': null,
            'fill_value': 0,
            'order': 'C',
            'filters': null
          }
          """);

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          # every member is mandatory
          -/zarr_format ! `` ! the member "zarr_format" is missing
          -/shape ! `` ! the member "shape" is missing
          -/chunks ! `` ! the member "chunks" is missing
          -/dtype ! `` ! the member "dtype" is missing
          -/compressor ! `` ! the member "compressor" is missing
          -/fill_value ! `` ! the member "fill_value" is missing
          -/order ! `` ! the member "order" is missing
          -/filters ! `` ! the member "filters" is missing
          /zarr_format=3 ! /zarr_format ! expected the integer 2, found 3
          /zarr_format='2' ! /zarr_format ! expected the integer 2, found "2"
          # the shape and the chunks
          /shape=[10] ! /chunks ! one extent for each of the 1 dimensions
          /shape=[10, -1] ! /shape/1 ! expected an integer from 0
          /chunks=[5] ! /chunks ! one extent for each of the 2 dimensions
          /chunks=[5, 0] ! /chunks/1 ! expected an integer from 1
          /chunks=true ! /chunks ! expected an array
          /order='A' ! /order ! expected one of "C", "F", found "A"
          /dimension_separator='_' ! /dimension_separator ! expected one of ".", "/", found "_"
          # the data type
          /dtype='f4' ! /dtype ! begins with its byte order
          /dtype='=i4' ! /dtype ! begins with its byte order
          /dtype='|i4' ! /dtype ! begins with its byte order
          /dtype='|U4' ! /dtype ! begins with its byte order
          /dtype='u1' ! /dtype ! begins with "|"
          /dtype='<b3' ! /dtype ! a type with a supported size
          /dtype='<i3' ! /dtype ! a type with a supported size
          /dtype='|V0' ! /dtype ! a type with a supported size
          /dtype='|V268435456' ! /dtype ! a type with a supported size
          /dtype='|S0' ! /dtype ! a type with a supported size
          /dtype='<M8' ! /dtype ! with a unit
          /dtype='<M8[]' ! /dtype ! with a unit
          /dtype='<M4[s]' ! /dtype ! a type string
          /dtype='int32' ! /dtype ! a type string
          /dtype='<zz' ! /dtype ! a type string
          /dtype='|O' ! /dtype ! needs an object codec
          /dtype=7 ! /dtype ! expected a string, found 7
          /dtype=[] ! /dtype ! at least one field
          /dtype=[['a']] ! /dtype/0 ! a field: a name, a type and an optional shape
          /dtype=[['a', '<i4', [1], 1]] ! /dtype/0 ! a field: a name, a type and an optional shape
          /dtype=[['a', 'i4']] ! /dtype/0/1 ! begins with its byte order
          /dtype=[['a', '|b1'], ['a', '|b1']] ! /dtype/1/0 ! duplicate field name "a"
          /dtype=[[1, '<i4']] ! /dtype/0/0 ! expected a string, found 1
          /dtype=[['a', '|b1', [-1]]] ! /dtype/0/2/0 ! an integer from 1
          # filters and compressor
          /compressor={'level': 1} ! /compressor ! the member "id" is missing
          /compressor={'id': ''} ! /compressor/id ! the id of a codec
          /compressor={'id': 7} ! /compressor/id ! expected a string
          /compressor=[] ! /compressor ! expected an object, found array
          /compressor='zlib' ! /compressor ! expected an object, found "zlib"
          /compressor={'id': 'blosc', 'shuffle': 'SOME'} ! /compressor/shuffle ! expected one of
          /filters={'id': 'delta'} ! /filters ! expected an array
          /filters=['delta'] ! /filters/0 ! expected an object
          /filters=[{'id': 'delta'}] ! /filters/0 ! the member "dtype" is missing
          /filters=[{'id': 'delta', 'dtype': '<zz'}] ! /filters/0/dtype ! a type string
          /filters=[{'id': 'delta', 'dtype': '<i2'}] ! /filters/0/dtype ! the elements' type at this stage, <i4
          /filters=[{'id': 'delta', 'dtype': '<f4'}] ! /filters/0/dtype ! the elements' type at this stage, <i4
          /filters=[{'id': 'delta', 'dtype': '>i4'}] ! /filters/0/dtype ! the elements' type at this stage, <i4
          /filters=[{'id': 'astype', 'encode_dtype': '<i2'}] ! /filters/0 ! "decode_dtype" is missing
          # the fill value
          /fill_value=2147483648 ! /fill_value ! an integer from -2147483648 to 2147483647
          /fill_value=0.5 ! /fill_value ! a fill value of int32
          /fill_value=1e999999999 ! /fill_value ! a fill value of int32
          /fill_value='' ! /fill_value ! a fill value of int32
          /fill_value='0x0' ! /fill_value ! a fill value of int32
          /fill_value='1.5' ! /fill_value ! a fill value of int32
          /fill_value='2147483648' ! /fill_value ! an integer from -2147483648 to 2147483647
          /fill_value='NaN' ! /fill_value ! a fill value of int32
          /fill_value=[1] ! /fill_value ! a fill value of int32
          /fill_value=true ! /fill_value ! a fill value of int32
          """)
  void a_broken_rule_is_refused_at_its_place(String edit, String pointer, String message) {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
              assertLocated(e);
            });
  }

  @ParameterizedTest(name = "{0} {1} at {2}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          |b1  ! 2               ! /fill_value
          |b1  ! 'yes'           ! /fill_value
          |b1  ! '2'             ! /fill_value
          |b1  ! ''              ! /fill_value
          |u1  ! '256'           ! /fill_value
          <f4  ! ''              ! /fill_value
          <f4  ! ' 0'            ! /fill_value
          <f4  ! '1e39'          ! /fill_value
          |u1  ! 256             ! /fill_value
          |u1  ! -1              ! /fill_value
          <f4  ! 'nan'           ! /fill_value
          <f4  ! '0x7fc00000'    ! /fill_value
          <f4  ! 1e39            ! /fill_value
          <c8  ! 1               ! /fill_value
          <c8  ! [1]             ! /fill_value
          <c8  ! [1, '0x00000000'] ! /fill_value/1
          |V3  ! 'AAA='          ! /fill_value
          |V3  ! 'AAAAAA=='      ! /fill_value
          |V3  ! '...'           ! /fill_value
          |V3  ! 0               ! /fill_value
          """)
  void a_fill_value_that_the_type_does_not_have_is_refused(
      String dtype, String fillValue, String pointer) {
    assertThatThrownBy(() -> open(dtype, fillValue))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertLocated(e);
            });
  }

  @ParameterizedTest(name = "{0} {1} is {2} {3}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          |b1  ! true              ! "bool"       ! true
          |b1  ! 1                 ! "bool"       ! true
          |b1  ! 0                 ! "bool"       ! false
          |b1  ! null              ! "bool"       ! false
          <b1  ! false             ! "bool"       ! false
          |i1  ! -128              ! "int8"       ! -128
          <u1  ! 255               ! "uint8"      ! 255
          >i2  ! 258               ! "int16"      ! 258
          <i8  ! -9223372036854775808 ! "int64"   ! -9223372036854775808
          >u8  ! 18446744073709551615 ! "uint64"  ! 18446744073709551615
          <i4  ! 7.0               ! "int32"      ! 7
          <i4  ! 1.5e1             ! "int32"      ! 15
          <i4  ! -0.0              ! "int32"      ! 0
          <i4  ! null              ! "int32"      ! 0
          <f2  ! 0.0999755859375   ! "float16"    ! 0.1
          <f4  ! 1                 ! "float32"    ! 1.0
          >f8  ! -0.0              ! "float64"    ! -0.0
          <f8  ! 'NaN'             ! "float64"    ! "NaN"
          <f8  ! 'Infinity'        ! "float64"    ! "Infinity"
          <f8  ! '-Infinity'       ! "float64"    ! "-Infinity"
          <c8  ! ['NaN', 1]        ! "complex64"  ! ["NaN",1.0]
          >c16 ! null              ! "complex128" ! [0.0,0.0]
          |V3  ! 'AQID'            ! "r24"        ! [1,2,3]
          |V2  ! null              ! "r16"        ! [0,0]
          # as TensorStore writes them
          bfloat16           ! null       ! "bfloat16"           ! 0.0
          bfloat16           ! 1.5        ! "bfloat16"           ! 1.5
          bfloat16           ! '-Infinity' ! "bfloat16"          ! "-Infinity"
          float8_e3m4        ! 0.0        ! "float8_e3m4"        ! 0.0
          float8_e4m3fn      ! 'NaN'      ! "float8_e4m3fn"      ! "NaN"
          float8_e4m3fn      ! null       ! "float8_e4m3fn"      ! 0.0
          float8_e4m3fnuz    ! -1.0       ! "float8_e4m3fnuz"    ! -1.0
          float8_e4m3b11fnuz ! 1.5        ! "float8_e4m3b11fnuz" ! 1.5
          float8_e5m2        ! 'Infinity' ! "float8_e5m2"        ! "Infinity"
          float8_e5m2fnuz    ! null       ! "float8_e5m2fnuz"    ! 0.0
          float8_e8m0fnu     ! 2.0        ! "float8_e8m0fnu"     ! 2.0
          float8_e8m0fnu     ! 0.0        ! "float8_e8m0fnu"     ! 6E-39
          float4_e2m1fn      ! null       ! "float4_e2m1fn"      ! 0.0
          float4_e2m1fn      ! 'Cg=='     ! "float4_e2m1fn"      ! -1.0
          int4               ! -1         ! "int4"               ! -1
          int4               ! null       ! "int4"               ! 0
          int2               ! 0.0        ! "int2"               ! 0
          # null is "not a time", as zarr-python has it
          <M8[ns] ! null ! {"name":"numpy.datetime64","configuration":{"unit":"ns","scale_factor":1}} ! -9223372036854775808
          >m8[10s] ! null ! {"name":"numpy.timedelta64","configuration":{"unit":"s","scale_factor":10}} ! -9223372036854775808
          """)
  void data_types_and_fill_values_mean_the_same_as_in_v3(
      String dtype, String fillValue, String v3Type, String v3FillValue) {
    ZarrArray array = open(dtype, fillValue);
    assertThat(array.dataType().toMetadata()).hasToString(v3Type);
    assertThat(array.fillValue().toJson()).hasToString(v3FillValue);
  }

  @ParameterizedTest(name = "{0} of {1} is {2}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          NaN             ! <f4  ! "NaN"            ! TOKEN_AS_FILL_VALUE
          Infinity        ! >f8  ! "Infinity"       ! TOKEN_AS_FILL_VALUE
          -Infinity       ! <f2  ! "-Infinity"      ! TOKEN_AS_FILL_VALUE
          [NaN, 1]        ! <c8  ! ["NaN",1.0]      ! TOKEN_AS_FILL_VALUE
          [1, -Infinity]  ! <c16 ! [1.0,"-Infinity"] ! TOKEN_AS_FILL_VALUE
          '0'             ! >u2  ! 0                ! QUOTED_FILL_VALUE
          '-128'          ! |i1  ! -128             ! QUOTED_FILL_VALUE
          '18446744073709551615' ! >u8 ! 18446744073709551615 ! QUOTED_FILL_VALUE
          '0.0'           ! <i4  ! 0                ! QUOTED_FILL_VALUE DECIMAL_AS_INTEGER_FILL_VALUE
          '0'             ! <f4  ! 0.0              ! QUOTED_FILL_VALUE
          '-1.5e3'        ! <f8  ! -1500.0          ! QUOTED_FILL_VALUE
          ['0', '1.5']    ! <c8  ! [0.0,1.5]        ! QUOTED_FILL_VALUE
          '0'             ! |b1  ! false            ! QUOTED_FILL_VALUE
          'false'         ! |b1  ! false            ! QUOTED_FILL_VALUE
          'true'          ! |b1  ! true             ! QUOTED_FILL_VALUE
          1               ! |b1  ! true             ! NUMBER_AS_BOOLEAN_FILL_VALUE
          7.0             ! <i4  ! 7                ! DECIMAL_AS_INTEGER_FILL_VALUE
          0               ! <U3  ! ""               ! ZERO_AS_EMPTY_FILL_VALUE
          0               ! |S3  ! ""           ! ZERO_AS_EMPTY_FILL_VALUE
          'a-b'           ! |S3  ! "YS1i"           ! PLAIN_TEXT_FILL_VALUE
          """)
  void a_fill_value_in_a_form_of_programs_is_read_with_a_warning(
      String fillValue, String dtype, String value, String leniencies) {
    ZarrArray array =
        open(
            DOCUMENT.with("dtype", dtype).without("fill_value").toString().replaceFirst("}$", "")
                + ",\"fill_value\":"
                + fillValue.replace('\'', '"')
                + "}");
    assertThat(array.fillValue().toJson()).hasToString(value);
    assertThat(array.warnings())
        .extracting(warning -> warning.leniency().name())
        .containsExactlyInAnyOrder(leniencies.split(" "));
    assertThat(array.warnings())
        .allSatisfy(
            warning -> {
              assertThat(warning.location().storeKey()).isEqualTo("a/.zarray");
              assertThat(warning.location().jsonPointer()).isEqualTo("/fill_value");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "'0'", "['0', '0']"})
  void what_is_written_again_has_the_form_of_zarr(String fillValue) {
    String dtype = fillValue.startsWith("[") ? "<c8" : "<f4";
    ArrayMetadata array =
        open(DOCUMENT
                .with("dtype", dtype)
                .with("fill_value", "?")
                .toString()
                .replace("\"?\"", fillValue.replace('\'', '"')))
            .metadata();
    ArrayMetadata again = read(array.document());
    assertThat(again.warnings()).isEmpty();
    assertThat(again.fillValue()).isEqualTo(array.fillValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"<i4", "|b1", "|S3", "<U3", "|V4", "<M8[s]"})
  void a_token_is_the_fill_value_of_a_float_alone(String dtype) {
    String document =
        DOCUMENT.with("dtype", dtype).with("fill_value", "?").toString().replace("\"?\"", "NaN");
    assertThatThrownBy(() -> open(document))
        .isInstanceOfSatisfying(
            MetadataException.class,
            e -> assertThat(e.location().jsonPointer()).isEqualTo("/fill_value"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"chunks\":[NaN]", "\"extra\":Infinity", "\"x\":{\"fill_value\":NaN}"})
  void a_token_elsewhere_is_refused(String member) {
    String document = DOCUMENT.toString().replaceFirst("}$", "," + member + "}");
    assertThatThrownBy(() -> open(document)).hasMessageContaining("not JSON: the token");
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          /dtype='<i4' ! bytes{"endian":"little"}
          /dtype='>i4' ! bytes{"endian":"big"}
          /dtype='|u1' ! bytes{}
          /dtype='>u1' ! bytes{}
          /dtype='|b1' ! bytes{}
          /order='F'   ! transpose{"order":[1,0]} bytes{"endian":"little"}
          /filters=[]  ! bytes{"endian":"little"}
          /compressor={'id': 'zlib', 'level': 1} ! bytes{"endian":"little"} numcodecs.zlib{"level":1}
          /compressor={'id': 'zlib', 'level': 1, 'numThreads': 2} ! bytes{"endian":"little"} numcodecs.zlib{"level":1}
          /compressor={'id': 'brotli', 'x': 1} ! bytes{"endian":"little"} numcodecs.brotli{"x":1}
          /compressor={'id': 'blosc', 'shuffle': 'BIT'} ! bytes{"endian":"little"} numcodecs.blosc{"shuffle":2,"typesize":4}
          /compressor={'id': 'blosc', 'shuffle': -1, 'typesize': 2} ! bytes{"endian":"little"} numcodecs.blosc{"shuffle":-1,"typesize":2}
          /filters=[{'id': 'shuffle'}] ! bytes{"endian":"little"} numcodecs.shuffle{"elementsize":4}
          /filters=[{'id': 'zstd', 'level': 3}, {'id': 'crc32'}] ! bytes{"endian":"little"} numcodecs.zstd{"level":3} numcodecs.crc32{}
          /filters=[{'id': 'delta', 'dtype': '<i4'}] ! numcodecs.delta{"dtype":"<i4"} bytes{"endian":"little"}
          /filters=[{'id': 'delta', 'dtype': '<u4'}] ! numcodecs.delta{"dtype":"<u4"} bytes{"endian":"little"}
          /filters=[{'id': 'delta', 'dtype': 'i4'}] ! numcodecs.delta{"dtype":"i4"} bytes{"endian":"little"}
          /filters=[{'id': 'delta', 'dtype': '<i4', 'astype': '>i2'}] ! numcodecs.delta{"dtype":"<i4","astype":">i2"} bytes{"endian":"big"}
          /filters=[{'id': 'delta', 'dtype': '<i4', 'astype': '|i1'}, {'id': 'shuffle', 'elementsize': 2}] ! numcodecs.delta{"dtype":"<i4","astype":"|i1"} bytes{} numcodecs.shuffle{"elementsize":2}
          /filters=[{'id': 'astype', 'decode_dtype': '<i4', 'encode_dtype': '>f8'}, {'id': 'bitround', 'keepbits': 3}] ! numcodecs.astype{"decode_dtype":"<i4","encode_dtype":">f8"} numcodecs.bitround{"keepbits":3} bytes{"endian":"big"}
          /filters=[{'id': 'packbits'}] ! numcodecs.packbits{} bytes{}
          /compressor={'id': 'zfpy', 'mode': 3, 'precision': 9} ! numcodecs.zfpy{"mode":3,"precision":9}
          /compressor={'id': 'pcodec', 'level': 8} ! numcodecs.pcodec{"level":8}
          """)
  void order_filters_and_compressor_become_a_codec_chain(String edit, String chain) {
    ArrayMetadata array = read(Json.edited(DOCUMENT, edit));
    StringBuilder found = new StringBuilder();
    array
        .codecs()
        .forEach(
            codec -> found.append(codec.name()).append(codec.configuration().value()).append(' '));
    assertThat(found.toString().strip()).isEqualTo(chain);
  }

  @Test
  void a_vector_has_one_order_only() {
    JsonObject vector = DOCUMENT.with("order", "F");
    vector = Json.edited(Json.edited(vector, "/shape=[3]"), "/chunks=[2]");
    assertThat(read(vector).codecs()).hasSize(1);
  }

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          /dtype='<f16' ! /dtype ! the dtype "<f16"
          /dtype=[['a', '|b1', [65536, 65536]]] ! /dtype/0/2 ! more than 4096 elements
          /dtype=[['a', '|b1', [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]]] ! /dtype/0/2 ! more than 4096 elements
          /dtype=[['a', '|b1', [4096]], ['b', '|b1']] ! /dtype/1 ! more than 4096 elements
          /dtype=[['a', [['b', '|b1', [64]], ['c', '|b1']], [64]]] ! /dtype/0 ! more than 4096 elements
          /filters=[{'id': 'zlib'}, {'id': 'delta', 'dtype': '<i4'}] ! /filters/1 ! stands after "zlib", which gives bytes
          """)
  void features_that_v3_lacks_are_refused_as_unsupported(
      String edit, String pointer, String message) {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, edit)))
        .isInstanceOfSatisfying(
            UnsupportedFeatureException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo(pointer);
              assertThat(e.statement()).contains(message);
              assertLocated(e);
            });
  }

  @Test
  void fields_become_a_struct_and_may_have_different_byte_orders() {
    JsonObject document =
        Json.edited(
            DOCUMENT,
            "/dtype=[['a', '<i2'], ['n', [['x', '>f4'], ['', '|V1']]], ['m', '>u2', [2, 1]]]");
    document = document.with("fill_value", "AQBAIAAABwABAAI=");
    JsonObject vector = Json.edited(Json.edited(document, "/shape=[2]"), "/chunks=[2]");
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of("a/.zarray"), Bytes.utf8(vector.toString())).block();
    ZarrArray array = Zarr.hierarchy(store).openArray("a").block();
    assertThat(array.dataType())
        .hasToString(
            "struct{a: int16, n: struct{x: float32, f1: r8}, m: struct{0: uint16, 1: uint16}}");
    String item = "{\"a\":1,\"n\":{\"x\":2.5,\"f1\":[7]},\"m\":{\"0\":1,\"1\":2}}";
    assertThat(array.fillValue().toJson()).hasToString(item);

    NdArray items = array.read(Selection.all()).block();
    array.write(Selection.all(), items).block();
    assertThat(store.get(StoreKey.of("a/0")).block()).isNull(); // all fill value
    byte[] stored = {9, 0, 0x40, 0x20, 0, 0, 7, 0, 1, 0, 2, 9, 0, 0x40, 0x20, 0, 0, 7, 0, 1, 0, 2};
    store.set(StoreKey.of("a/0"), Bytes.wrap(stored)).block();
    NdArray read = array.read(Selection.all()).block();
    assertThat(array.dataType().toJson(read.bytes().toByteArray(), 11))
        .hasToString(item.replace("\"a\":1", "\"a\":9"));
    array.write(Selection.all(), read).block();
    assertThat(store.get(StoreKey.of("a/0")).block().toByteArray()).isEqualTo(stored);
  }

  @Test
  void pickled_objects_are_never_read() {
    JsonObject document = Json.edited(DOCUMENT, "/dtype='|O'");
    assertThatThrownBy(() -> open(Json.edited(document, "/filters=[{'id': 'pickle'}]")))
        .isInstanceOfSatisfying(
            UnsupportedFeatureException.class,
            e -> {
              assertThat(e.location().jsonPointer()).isEqualTo("/filters/0");
              assertThat(e.statement()).contains("executes code");
            });
  }

  @Test
  void an_unknown_codec_is_named() {
    assertThatThrownBy(() -> open(Json.edited(DOCUMENT, "/compressor={'id': 'snappy9'}")))
        .isInstanceOfSatisfying(
            UnknownExtensionException.class,
            e -> {
              assertThat(e.name()).isEqualTo("numcodecs.snappy9");
              assertThat(e.location().jsonPointer()).isEqualTo("/compressor");
              assertLocated(e);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/shape=[0, 20]",
        "/dimension_separator='/'",
        "/extra={'any': 'thing'}",
        "/filters=[]",
        "/fill_value=null",
      })
  void a_valid_document_is_opened_and_kept(String edit) {
    JsonObject document = Json.edited(DOCUMENT, edit);
    ZarrArray array = open(document);
    assertThat(array.metadata().zarrFormat()).isEqualTo(2);
    assertThat(array.metadata().document()).isEqualTo(document);
    assertThat(array.metadata().dimensionNames()).containsOnlyNulls();
  }

  @Test
  void chunks_of_no_extent_are_read_where_the_array_has_none_either() {
    JsonObject empty = Json.edited(Json.edited(DOCUMENT, "/shape=[0, 20]"), "/chunks=[0, 5]");
    assertThat(open(empty).chunkGrid().largestChunkShape().toArray()).containsExactly(1, 5);
  }

  private static void assertLocated(ZarrException e) {
    assertThat(e.location().nodePath()).isEqualTo("/a");
    assertThat(e.location().storeKey()).isIn("a/.zarray", null);
  }

  private static ZarrArray open(String dtype, String fillValue) {
    return open(DOCUMENT.with("dtype", dtype).with("fill_value", Json.value(fillValue).value()));
  }

  private static ZarrArray open(JsonObject document) {
    return open(document.toString());
  }

  private static ZarrArray open(String document) {
    MemoryStore store = MemoryStore.create();
    store.set(StoreKey.of("a/.zarray"), Bytes.utf8(document)).block();
    return Zarr.hierarchy(store).openArray("a").block();
  }

  private static ArrayMetadata read(JsonObject document) {
    return ArrayMetadata.parseV2(
        Bytes.utf8(document.toString()), null, NodePath.of("a"), MetadataLimits.defaults());
  }
}
