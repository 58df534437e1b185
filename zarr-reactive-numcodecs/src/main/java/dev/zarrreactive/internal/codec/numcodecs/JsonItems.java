package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk of any JSON values as one list: the elements, nested as the chunk's dimensions are, then
 * the dtype {@code |O} and the list of the extents. A chunk without dimensions is written as one of
 * one element.
 */
final class JsonItems {
  private static final JsonString OBJECT = new JsonString("|O");

  /** The elements of one chunk in C order, read or written up to the next one. */
  private final Object[] elements;

  private int next;

  private JsonItems(Object... elements) {
    this.elements = elements;
  }

  static JsonArray write(NdArray chunk) {
    long[] extents = chunk.shape().toArray();
    JsonItems items = new JsonItems((Object[]) ElementMemory.of(chunk).array());
    List<JsonValue> list = new ArrayList<>(items.nested(atLeastOne(extents), 0));
    list.add(OBJECT);
    list.add(JsonArray.ofIntegers(extents));
    return new JsonArray(list);
  }

  private static long[] atLeastOne(long... extents) {
    return extents.length == 0 ? new long[] {1} : extents;
  }

  private List<JsonValue> nested(long[] extents, int dimension) {
    List<JsonValue> list = new ArrayList<>();
    for (long i = 0; i < extents[dimension]; i++) {
      list.add(
          dimension == extents.length - 1
              ? (JsonValue) elements[next++]
              : new JsonArray(nested(extents, dimension + 1)));
    }
    return list;
  }

  static NdArray read(JsonValue json, ChunkRepresentation chunk) {
    List<JsonValue> list = json instanceof JsonArray array ? array.elements() : List.of();
    int count = list.size() - 2;
    if (count < 0 || !list.get(count).equals(OBJECT)) {
      throw error("expected a list that ends with \"|O\" and the chunk's shape");
    }
    Shape shape = chunk.shape();
    JsonValue extents = JsonArray.ofIntegers(shape.toArray());
    if (!list.get(count + 1).equals(extents)) {
      throw error("expected a chunk of shape " + shape + ", found " + list.get(count + 1));
    }
    // The text bounds the number of elements that are created.
    List<Object> elements = new ArrayList<>();
    flatten(list.subList(0, count), atLeastOne(shape.toArray()), 0, elements);
    ElementMemory memory = ElementMemory.allocate(chunk.dataType(), shape);
    elements.toArray((Object[]) memory.array());
    return memory.toNdArray(shape);
  }

  private static void flatten(
      List<JsonValue> list, long[] extents, int dimension, List<Object> elements) {
    if (list.size() != extents[dimension]) {
      throw error(
          "expected "
              + extents[dimension]
              + " elements along dimension "
              + dimension
              + ", found "
              + list.size());
    }
    if (dimension == extents.length - 1) {
      elements.addAll(list);
      return;
    }
    for (JsonValue row : list) {
      if (!(row instanceof JsonArray array)) {
        throw error("expected a list for dimension " + (dimension + 1) + ", found " + row.kind());
      }
      flatten(array.elements(), extents, dimension + 1, elements);
    }
  }

  private static CodecException error(String message) {
    return new CodecException(message, Location.UNKNOWN);
  }
}
