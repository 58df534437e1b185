package dev.zarrreactive.jackson;

import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Lets Jackson 3 write and read what a Zarr document consists of: {@code ArrayMetadata} and {@code
 * GroupMetadata} as the documents that they are, attributes ({@code JsonObject}), {@code Shape} as
 * a list, {@code DataType} and {@code FillValue} as in a document. Numbers keep their spelling.
 * {@code ArrayMetadata}, {@code GroupMetadata}, {@code NodeMetadata} and JSON values are read back.
 * A document of Zarr v2 is its {@code .zarray} or {@code .zgroup}, without attributes. {@code
 * NdArray} is written as lists in lists, {@code Chunk} as a {@link ChunkDocument}.
 *
 * <p>A document that breaks a rule ends the reading with Jackson's error of an unreadable value,
 * whose cause is the {@link dev.zarrreactive.error.ZarrException}. Register it with {@code
 * JsonMapper.builder().addModule(new ZarrJackson3Module())}; Spring Boot 4 does so by itself where
 * zarr-reactive-webflux is on the class path.
 */
public final class ZarrJackson3Module extends SimpleModule {
  private static final long serialVersionUID = 1L;

  /** Creates a module. */
  public ZarrJackson3Module() {
    super("zarr-reactive");
    ZarrDocuments.each(
        new ZarrDocuments.Written() {
          @Override
          public <T> void add(Class<T> type, Function<T, JsonValue> json) {
            addSerializer(type, new Writer<>(json));
          }
        });
    ZarrDocuments.read().forEach(this::reads);
  }

  @SuppressWarnings("unchecked")
  private <T> void reads(Class<T> type, Function<JsonValue, Object> meaning) {
    addDeserializer(type, (ValueDeserializer<T>) new Reader(type, meaning));
  }

  private static final class Writer<T> extends ValueSerializer<T> {
    private final Function<T, JsonValue> json;

    Writer(Function<T, JsonValue> json) {
      this.json = json;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializationContext context) {
      write(json.apply(value), out);
    }

    @Override
    public void serializeWithType(
        T value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
      write(json.apply(value), out);
    }

    private static void write(JsonValue value, JsonGenerator out) {
      if (value instanceof JsonObject object) {
        out.writeStartObject();
        for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
          out.writeName(member.getKey());
          write(member.getValue(), out);
        }
        out.writeEndObject();
      } else if (value instanceof JsonArray array) {
        out.writeStartArray();
        for (JsonValue element : array.elements()) {
          write(element, out);
        }
        out.writeEndArray();
      } else if (value instanceof JsonString string) {
        out.writeString(string.value());
      } else if (value instanceof JsonNumber number) {
        out.writeNumber(number.text());
      } else if (value instanceof JsonBoolean bool) {
        out.writeBoolean(bool.value());
      } else {
        out.writeNull();
      }
    }
  }

  private static final class Reader extends StdDeserializer<Object> {
    private final Function<JsonValue, Object> meaning;

    Reader(Class<?> type, Function<JsonValue, Object> meaning) {
      super(type);
      this.meaning = meaning;
    }

    @Override
    public Object deserialize(JsonParser in, DeserializationContext context) {
      Object read;
      try {
        read = meaning.apply(read(in));
      } catch (ZarrException e) {
        throw DatabindException.from(in, e.getMessage(), e);
      }
      if (!handledType().isInstance(read)) {
        return context.reportInputMismatch(
            this, "expected the JSON of %s", handledType().getSimpleName());
      }
      return read;
    }

    private static JsonValue read(JsonParser in) {
      return switch (in.currentToken()) {
        case START_OBJECT -> {
          Map<String, JsonValue> members = new LinkedHashMap<>();
          while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            members.put(name, read(in));
          }
          yield new JsonObject(members);
        }
        case START_ARRAY -> {
          List<JsonValue> elements = new ArrayList<>();
          while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(read(in));
          }
          yield new JsonArray(elements);
        }
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(in.getString());
        case VALUE_TRUE -> new JsonBoolean(true);
        case VALUE_FALSE -> new JsonBoolean(false);
        case VALUE_NULL -> JsonNull.NULL;
        default -> new JsonString(in.getString());
      };
    }
  }
}
