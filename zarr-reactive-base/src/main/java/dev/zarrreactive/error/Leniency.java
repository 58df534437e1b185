package dev.zarrreactive.error;

import java.util.Locale;

/**
 * A deviation from the specification that readers accept, because programs wrote such data. The
 * page {@code docs/leniencies.md} names these programs.
 */
public enum Leniency {
  /** A {@code NaN} or {@code Infinity} without quotes as the fill value of a {@code .zarray}. */
  TOKEN_AS_FILL_VALUE,

  /** A {@code NaN} or {@code Infinity} without quotes in attributes. */
  TOKEN_IN_ATTRIBUTES,

  /** A {@code NaN} or {@code Infinity} without quotes in consolidated metadata. */
  TOKEN_IN_CONSOLIDATED_METADATA,

  /** A member that attributes or consolidated metadata have twice; the last one counts. */
  DUPLICATE_MEMBER,

  /** A byte order mark before a document. */
  BYTE_ORDER_MARK,

  /** The attributes of a node of Zarr v3 are null, and read as an empty object. */
  NULL_ATTRIBUTES,

  /** A number or a boolean in quotes as the fill value of a {@code .zarray}. */
  QUOTED_FILL_VALUE,

  /** The fill value 0 for a text, a byte string or a list; it is read as the empty one. */
  ZERO_AS_EMPTY_FILL_VALUE,

  /** The fill value 0 or 1 for a boolean. */
  NUMBER_AS_BOOLEAN_FILL_VALUE,

  /** A fill value of an integer with a fraction of zero, such as {@code 0.0}. */
  DECIMAL_AS_INTEGER_FILL_VALUE,

  /** The text itself as the fill value of a byte string, instead of base64. */
  PLAIN_TEXT_FILL_VALUE,

  /** The fill value of raw bits in base64, in Zarr v3. */
  BASE64_FILL_VALUE,

  /** A chunk extent of 0 along a dimension of extent 0; it is read as 1. */
  EMPTY_CHUNK,

  /** A chunk extent {@code true} or {@code 4.0}. */
  SPELLED_CHUNK_EXTENT,

  /** Lists of edges among the extents of a regular chunk grid; it is read as a rectilinear one. */
  EDGES_IN_REGULAR_GRID,

  /** A {@code .zgroup} beside a {@code .zarray}; the node is an array. */
  ARRAY_AND_GROUP,

  /** A slash before the path of a node in consolidated metadata. */
  SLASH_IN_CONSOLIDATED_METADATA,

  /** A data type that is read as its fallback, by an option. */
  FALLBACK_DATA_TYPE,

  /** A form of the draft of 2023, by an option. */
  DRAFT_2023,

  /** A form of the draft of 2022, by an option. */
  DRAFT_2022;

  /** Returns true for one that the user asks for by an option. */
  public boolean isByOption() {
    return this == FALLBACK_DATA_TYPE || this == DRAFT_2023 || this == DRAFT_2022;
  }

  /** The name in the documentation: small letters, with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
