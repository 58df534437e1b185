package dev.zarrreactive.internal.icechunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.flatbuffers.FlexBuffersBuilder;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack.PackerConfig;

/** Values in the binary forms of repositories, written by other libraries. */
class EncodedValuesTest {
  private static DecodingBudget budget() {
    return new DecodingBudget(IllegalStateException::new);
  }

  /** A random JSON value. */
  private static JsonValue random(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 5 : 8)) {
      case 0 -> JsonNull.NULL;
      case 1 -> new JsonBoolean(random.nextBoolean());
      case 2 -> JsonNumber.of(random.nextLong() >> random.nextInt(64));
      case 3 -> new JsonNumber(Double.toString(random.nextInt(1000) / 8.0));
      case 4 -> new JsonString("grün ".repeat(random.nextInt(30)) + random.nextInt(100));
      case 5 -> {
        List<JsonValue> elements = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
          elements.add(random(random, depth + 1));
        }
        yield new JsonArray(elements);
      }
      default -> {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
          members.put("k" + random.nextInt(50), random(random, depth + 1));
        }
        yield new JsonObject(members);
      }
    };
  }

  @Test
  void a_flex_buffer_by_googles_library_is_read() {
    for (int seed = 0; seed < 500; seed++) {
      JsonValue value = random(new Random(seed), 0);
      FlexBuffersBuilder builder = new FlexBuffersBuilder();
      put(builder, null, value);
      ByteBuffer bytes = builder.finish();
      byte[] encoded = new byte[bytes.remaining()];
      bytes.get(encoded);
      assertThat(FlexBuffer.read(Bytes.wrap(encoded), budget()))
          .as("seed %s", seed)
          .isEqualTo(value);
    }
  }

  private static void put(FlexBuffersBuilder builder, @Nullable String key, JsonValue value) {
    if (value instanceof JsonNull) {
      builder.putNull(key);
    } else if (value instanceof JsonBoolean bool) {
      builder.putBoolean(key, bool.value());
    } else if (value instanceof JsonNumber number) {
      if (number.isInteger()) {
        builder.putInt(key, number.toBigInteger().longValue());
      } else {
        builder.putFloat(key, number.toDouble());
      }
    } else if (value instanceof JsonString text) {
      builder.putString(key, text.value());
    } else if (value instanceof JsonArray array) {
      int start = builder.startVector();
      array.elements().forEach(element -> put(builder, null, element));
      builder.endVector(key, start, false, false);
    } else {
      int start = builder.startMap();
      ((JsonObject) value).members().forEach((name, member) -> put(builder, name, member));
      builder.endMap(key, start);
    }
  }

  @Test
  void message_pack_by_another_library_is_read() throws IOException {
    for (int seed = 0; seed < 500; seed++) {
      JsonValue value = random(new Random(seed), 0);
      try (MessageBufferPacker packer = new PackerConfig().newBufferPacker()) {
        pack(packer, value);
        assertThat(MessagePack.read(Bytes.wrap(packer.toByteArray()), budget()))
            .as("seed %s", seed)
            .isEqualTo(value);
      }
    }
  }

  private static void pack(MessageBufferPacker packer, JsonValue value) throws IOException {
    if (value instanceof JsonNull) {
      packer.packNil();
    } else if (value instanceof JsonBoolean bool) {
      packer.packBoolean(bool.value());
    } else if (value instanceof JsonNumber number) {
      if (number.isInteger()) {
        packer.packLong(number.toBigInteger().longValue());
      } else {
        packer.packDouble(number.toDouble());
      }
    } else if (value instanceof JsonString text) {
      packer.packString(text.value());
    } else if (value instanceof JsonArray array) {
      packer.packArrayHeader(array.elements().size());
      for (JsonValue element : array.elements()) {
        pack(packer, element);
      }
    } else {
      Map<String, JsonValue> members = ((JsonObject) value).members();
      packer.packMapHeader(members.size());
      for (Map.Entry<String, JsonValue> member : members.entrySet()) {
        packer.packString(member.getKey());
        pack(packer, member.getValue());
      }
    }
  }

  @Test
  void ids_are_written_in_crockfords_alphabet() {
    byte[] id = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    assertThat(Base32.encode(Bytes.wrap(id), 0, 12)).isEqualTo("000G40R40M30E209185G");
    byte[] first = {11, 28, (byte) 0xc8, (byte) 0xd6, 0x78, 0x75, (byte) 0x80, (byte) 0xf0};
    assertThat(Base32.encode(Bytes.wrap(first), 0, 8)).hasSize(13).startsWith("1CECHNKREP0F");
    assertThat(Base32.isObjectId("1CECHNKREP0F1RSTCMT0")).isTrue();
    assertThat(Base32.isObjectId("1CECHNKREP0F1RSTCMTU")).isFalse();
    assertThat(Base32.isObjectId("main")).isFalse();
  }

  @Test
  void the_yaml_of_a_configuration_is_read() {
    String yaml =
        """
        # by icechunk
        inline_chunk_threshold_bytes: null
        virtual_chunk_containers:
          s3://bucket/data/:
            name: s3
            url_prefix: 's3://bucket/data/'
            store: !s3_compatible
              region: us-east-1
              endpoint_url: http://localhost:4200
              anonymous: false
          "file:///data/":
            url_prefix: file:///data/
            store: !local_file_system /data
        manifest:
          splitting: {}
          conditions:
          - !and
            - !name_matches
              regex: ^x$
            - []
          - plain
        """;
    JsonObject expected =
        JsonDocument.parse(
                ByteBuffer.wrap(
                    """
                    {"inline_chunk_threshold_bytes": null, "virtual_chunk_containers":
                      {"s3://bucket/data/": {"name": "s3", "url_prefix": "s3://bucket/data/",
                        "store": {"s3_compatible": {"region": "us-east-1",
                          "endpoint_url": "http://localhost:4200", "anonymous": "false"}}},
                       "file:///data/": {"url_prefix": "file:///data/",
                        "store": {"local_file_system": "/data"}}},
                     "manifest": {"splitting": {},
                       "conditions": [{"and": [{"name_matches": {"regex": "^x$"}}, []]}, "plain"]}}
                    """
                        .getBytes(StandardCharsets.UTF_8)),
                Location.UNKNOWN)
            .object();
    assertThat(YamlConfig.read(Bytes.utf8(yaml), "config.yaml")).isEqualTo(expected);
    assertThat(YamlConfig.read(Bytes.utf8(""), "config.yaml")).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void other_yaml_is_refused_with_its_line() {
    for (String wrong :
        List.of(
            "a: 1\nb: {c: d}", "a: 1\nb: &x 1", "a: 1\nb: |\n  text", "a: 1\n\tb: 1", "a: 1\n-")) {
      assertThatThrownBy(() -> YamlConfig.read(Bytes.utf8(wrong), "config.yaml"))
          .as(wrong)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("line 2")
          .hasMessageContaining("config.yaml");
    }
    assertThatThrownBy(() -> YamlConfig.read(Bytes.utf8("- ".repeat(1000) + "a: 1"), "config.yaml"))
        .isInstanceOf(StoreException.class);
  }
}
