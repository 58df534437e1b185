package dev.zarrreactive.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.codec.ArrayToArrayCodec;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.Codec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.testing.Json;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kinds by name are those of the codecs in the registry. */
class CodecKindTest {
  private static final String BYTES = "[{'name': 'bytes', 'configuration': {'endian': 'little'}}]";

  /** Configurations of the codecs that need one. */
  private static final Map<String, String> CONFIGURATIONS =
      Map.ofEntries(
          Map.entry("bitround", "{'keepbits': 3}"),
          Map.entry(
              "blosc",
              "{'cname': 'lz4', 'clevel': 5, 'shuffle': 'noshuffle', 'typesize': 1, 'blocksize':"
                  + " 0}"),
          Map.entry("cast_value", "{'data_type': 'int8'}"),
          Map.entry("conditional", "{'codecs': ['crc32c']}"),
          Map.entry("gzip", "{'level': 1}"),
          Map.entry(
              "n5_default",
              "{'codecs': [{'name': 'transpose', 'configuration': {'order': [0]}}, {'name':"
                  + " 'bytes', 'configuration': {'endian': 'big'}}]}"),
          Map.entry("numcodecs.astype", "{'encode_dtype': 'i1', 'decode_dtype': 'i2'}"),
          Map.entry("numcodecs.bitround", "{'keepbits': 3}"),
          Map.entry("numcodecs.categorize", "{'labels': ['a'], 'dtype': 'object'}"),
          Map.entry("numcodecs.delta", "{'dtype': 'i2'}"),
          Map.entry("numcodecs.fixedscaleoffset", "{'offset': 0, 'scale': 1, 'dtype': 'f8'}"),
          Map.entry("numcodecs.quantize", "{'digits': 2, 'dtype': 'f8'}"),
          Map.entry("numcodecs.shuffle", "{'elementsize': 4}"),
          Map.entry("numcodecs.vlen-array", "{'dtype': 'i4'}"),
          Map.entry("reshape", "{'shape': [-1]}"),
          Map.entry("scale_offset", "{'scale': 2, 'offset': 1}"),
          Map.entry(
              "sharding_indexed",
              "{'chunk_shape': [1], 'codecs': " + BYTES + ", 'index_codecs': " + BYTES + "}"),
          Map.entry("transpose", "{'order': [0]}"),
          Map.entry("v2.struct_bytes", "{'big_endian': []}"),
          Map.entry("zstd", "{'level': 1}"));

  private static Iterable<String> names() {
    return CodecRegistry.standard().names();
  }

  @ParameterizedTest
  @MethodSource("names")
  void the_kind_of_a_codec_is_that_of_its_class(String name) {
    String configuration = CONFIGURATIONS.getOrDefault(name, "{}");
    Codec codec =
        CodecRegistry.standard()
            .create(
                Json.extension("{'name': '" + name + "', 'configuration': " + configuration + "}"));
    assertThat(CodecKind.of(name))
        .isEqualTo(
            codec instanceof ArrayToArrayCodec
                ? CodecKind.ARRAY_TO_ARRAY
                : codec instanceof ArrayToBytesCodec
                    ? CodecKind.ARRAY_TO_BYTES
                    : CodecKind.BYTES_TO_BYTES);
  }
}
