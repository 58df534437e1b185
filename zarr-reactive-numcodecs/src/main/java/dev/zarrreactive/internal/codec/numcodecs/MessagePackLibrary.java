package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonBoolean;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/**
 * The calls to msgpack-core, in one class, because the library is optional: MessagePack values that
 * JSON has, too.
 */
final class MessagePackLibrary {
  private MessagePackLibrary() {}

  static Bytes write(JsonValue json) {
    try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
      pack(json, packer);
      return Bytes.wrap(packer.toByteArray());
    } catch (IOException e) {
      throw error("cannot be written: " + e.getMessage(), e);
    }
  }

  private static void pack(JsonValue json, MessageBufferPacker packer) throws IOException {
    if (json instanceof JsonArray array) {
      packer.packArrayHeader(array.elements().size());
      for (JsonValue element : array.elements()) {
        pack(element, packer);
      }
    } else if (json instanceof JsonObject object) {
      packer.packMapHeader(object.members().size());
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        packer.packString(member.getKey());
        pack(member.getValue(), packer);
      }
    } else if (json instanceof JsonString text) {
      packer.packString(text.value());
    } else if (json instanceof JsonBoolean bool) {
      packer.packBoolean(bool.value());
    } else if (json instanceof JsonNumber number) {
      pack(number, packer);
    } else {
      packer.packNil();
    }
  }

  private static void pack(JsonNumber number, MessageBufferPacker packer) throws IOException {
    if (!number.isInteger()) {
      packer.packDouble(Double.parseDouble(number.text()));
      return;
    }
    BigInteger integer = number.toBigInteger();
    if (integer.bitLength() > (integer.signum() < 0 ? 63 : 64)) {
      throw error("MessagePack has no integer " + integer, null);
    }
    packer.packBigInteger(integer);
  }

  static JsonValue read(Bytes bytes) {
    try (MessageUnpacker unpacker =
        MessagePack.newDefaultUnpacker(bytes.unsafeArray(), bytes.unsafeOffset(), bytes.size())) {
      JsonValue json = unpack(unpacker, 0);
      if (unpacker.hasNext()) {
        throw error("bytes follow the end", null);
      }
      return json;
    } catch (IOException | MessagePackException e) {
      throw error("not MessagePack: " + e.getMessage(), e);
    }
  }

  private static JsonValue unpack(MessageUnpacker unpacker, int depth) throws IOException {
    if (depth > JsonDocument.MAX_DEPTH) {
      throw error("nested deeper than " + JsonDocument.MAX_DEPTH, null);
    }
    ValueType type = unpacker.getNextFormat().getValueType();
    switch (type) {
      case NIL -> {
        unpacker.unpackNil();
        return JsonNull.NULL;
      }
      case BOOLEAN -> {
        return new JsonBoolean(unpacker.unpackBoolean());
      }
      case INTEGER -> {
        return new JsonNumber(unpacker.unpackBigInteger().toString());
      }
      case FLOAT -> {
        return new JsonNumber(Double.toString(unpacker.unpackDouble()));
      }
      case STRING -> {
        return new JsonString(unpacker.unpackString());
      }
      case ARRAY -> {
        return list(unpacker, depth);
      }
      case MAP -> {
        return object(unpacker, depth);
      }
      default -> throw error("found " + type + ", which has no form in JSON", null);
    }
  }

  /** Reads a list, which grows element by element: its declared length may be false. */
  private static JsonArray list(MessageUnpacker unpacker, int depth) throws IOException {
    List<JsonValue> elements = new ArrayList<>();
    for (int left = unpacker.unpackArrayHeader(); left > 0; left--) {
      elements.add(unpack(unpacker, depth + 1));
    }
    return new JsonArray(elements);
  }

  private static JsonObject object(MessageUnpacker unpacker, int depth) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
      if (!(unpack(unpacker, depth + 1) instanceof JsonString name)) {
        throw error("found a map with keys other than strings, which has no form in JSON", null);
      }
      members.put(name.value(), unpack(unpacker, depth + 1));
    }
    return new JsonObject(members);
  }

  private static CodecException error(String message, @Nullable Throwable cause) {
    return new CodecException(message, Location.UNKNOWN, cause);
  }
}
