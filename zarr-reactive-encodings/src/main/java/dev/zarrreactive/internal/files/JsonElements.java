package dev.zarrreactive.internal.files;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Elements in JSON, each in the form of a fill value, as the encodings write them. */
public final class JsonElements {
  private JsonElements() {}

  /**
   * Reads lists in lists.
   *
   * @throws InvalidInputException if the lists have different lengths, or an element is no such
   */
  public static NdArray array(ByteBuffer text, DataType type) {
    return array(parse(text, "the body"), type);
  }

  /** Reads lines, each with an element or with lists in lists, as the elements of one list. */
  public static NdArray lines(byte[] text, DataType type) {
    List<JsonValue> values = new ArrayList<>();
    for (int from = 0; from < text.length; ) {
      int end = from;
      while (end < text.length && text[end] != '\n') {
        end++;
      }
      ByteBuffer line = ByteBuffer.wrap(text, from, end - from);
      if (!new String(text, from, end - from, StandardCharsets.UTF_8).isBlank()) {
        values.add(parse(line, "line " + values.size()));
      }
      from = end + 1;
    }
    return array(new JsonArray(values), type);
  }

  private static NdArray array(JsonValue value, DataType type) {
    List<Long> extents = new ArrayList<>();
    JsonValue first = value;
    int ownDepth = depth(type);
    while (first instanceof JsonArray list && depth(first) > ownDepth) {
      extents.add((long) list.elements().size());
      if (list.elements().isEmpty()) {
        break;
      }
      first = list.elements().get(0);
    }
    Shape shape = Shape.of(extents.stream().mapToLong(Long::longValue).toArray());
    ElementMemory memory = ElementMemory.allocate(type, shape);
    fill(value, type, shape, memory, "the body");
    return memory.toNdArray(shape);
  }

  static JsonValue parse(ByteBuffer text, String where) {
    try {
      return JsonDocument.parse(text, Location.UNKNOWN).value();
    } catch (MetadataException e) {
      throw new InvalidInputException(where + " is no JSON: " + e.statement(), e);
    }
  }

  /** Returns the depth of the lists that an element of a type is written as. */
  static int depth(DataType type) {
    Shape one = Shape.of();
    return depth(ElementMemory.allocate(type, one).toNdArray(one).toJson(0));
  }

  static int depth(JsonValue value) {
    int depth = 0;
    JsonValue first = value;
    while (first instanceof JsonArray list) {
      depth++;
      if (list.elements().isEmpty()) {
        break;
      }
      first = list.elements().get(0);
    }
    return depth;
  }

  /** Sets all elements of a shape from lists in lists. */
  static void fill(
      JsonValue value, DataType type, Shape shape, ElementMemory memory, String where) {
    fill(value, type, shape, 0, memory, 0, where);
  }

  private static int fill(
      JsonValue value,
      DataType type,
      Shape shape,
      int dimension,
      ElementMemory memory,
      int from,
      String where) {
    if (dimension == shape.rank()) {
      set(value, type, memory, from, where);
      return from + 1;
    }
    if (!(value instanceof JsonArray list) || list.elements().size() != shape.extent(dimension)) {
      throw new InvalidInputException(
          where
              + " has "
              + (value instanceof JsonArray list
                  ? "a list of " + list.elements().size() + " elements"
                  : "no list")
              + " where shape "
              + shape
              + " has "
              + shape.extent(dimension)
              + " along dimension "
              + dimension);
    }
    int next = from;
    for (JsonValue element : list.elements()) {
      next = fill(element, type, shape, dimension + 1, memory, next, where);
    }
    return next;
  }

  /** Sets one element. */
  static void set(JsonValue value, DataType type, ElementMemory memory, int at, String where) {
    try {
      memory.fill(type.parseFillValue(LocatedJson.of(value)), at, 1);
    } catch (MetadataException e) {
      throw new InvalidInputException(
          where + ", element " + at + ", is not of " + type + ": " + e.statement(), e);
    }
  }
}
