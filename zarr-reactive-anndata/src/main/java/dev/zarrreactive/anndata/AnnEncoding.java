package dev.zarrreactive.anndata;

import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The attributes by which AnnData says what a node is. */
final class AnnEncoding {
  private static final String TYPE = "encoding-type";

  private AnnEncoding() {}

  /** Returns the encoding of a node; an empty text for one without. */
  static String of(ZarrNode node) {
    return text(node, TYPE);
  }

  /** Returns an attribute; an empty text where it is none. */
  static String text(ZarrNode node, String name) {
    return node.attributes().get(name) instanceof JsonString text ? text.value() : "";
  }

  /** Returns a list of texts; empty where the attribute is none. */
  static List<String> texts(ZarrNode node, String name) {
    List<String> texts = new ArrayList<>();
    if (node.attributes().get(name) instanceof JsonArray list) {
      for (JsonValue element : list.elements()) {
        if (element instanceof JsonString text) {
          texts.add(text.value());
        }
      }
    }
    return texts;
  }

  /** Returns an attribute and its place. */
  static LocatedJson member(ZarrNode node, String name) {
    Location attributes = location(node).child("attributes");
    return new LocatedJson(node.attributes(), attributes).member(name);
  }

  /**
   * Returns the elements of a list of integers; those of {@code uint64} above 2^63 are negative.
   */
  static long[] longs(NdArray integers) {
    if (((IntegerType) integers.dataType()).signed()) {
      return integers.toLongArray();
    }
    long[] longs = new long[(int) integers.shape().extent(0)];
    Arrays.setAll(longs, integers::getUnsignedLong);
    return longs;
  }

  static Location location(ZarrNode node) {
    return Location.ofNode(node.path().value());
  }

  /** Returns the error of a node that is something else. */
  static MetadataException refused(ZarrNode node, String expected) {
    String found = of(node);
    return new MetadataException(
        "expected "
            + expected
            + ", found "
            + (found.isEmpty()
                ? "a node without the attribute " + TYPE
                : TYPE + " \"" + found + '"'),
        location(node));
  }
}
