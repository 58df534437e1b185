package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.internal.metadata.TranslatedArray;
import dev.zarrreactive.internal.metadata.V2Array;
import dev.zarrreactive.internal.metadata.V2DataType;
import dev.zarrreactive.internal.metadata.V2FillValue;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.util.List;

/**
 * Translates the document of an array of the 2022 draft to the terms of Zarr v3. Reads the forms of
 * the draft and those of programs, which were closer to Zarr v2: type strings with a byte order, a
 * compressor, and filters among the attributes.
 */
final class Draft2022Array {
  private Draft2022Array() {}

  /**
   * Reads a parsed document.
   *
   * @param hasFilters true if programs may have written filters among the attributes
   * @param scalarIsBare true if the key of the only chunk of a scalar has no number
   */
  static TranslatedArray read(
      LocatedJson json, boolean hasFilters, boolean scalarIsBare, Deviations deviations) {
    json.allowOnly(
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_memory_layout",
        "fill_value",
        "extensions",
        "attributes",
        "codecs",
        "compressor",
        "storage_transformers",
        "dimension_separator"); // a repetition by programs that wrote Zarr v2 too
    Draft2022Extensions.check(json, deviations);
    long[] shape = json.member("shape").integers(0, Long.MAX_VALUE);
    LocatedJson attributes = attributes(json, deviations);
    Draft2022Codecs codecs = new Draft2022Codecs(json, attributes, hasFilters);
    V2DataType type =
        Draft2022DataType.read(json.member("data_type"), codecs.filters(), deviations);
    FillValue fillValue = fillValue(json.member("fill_value"), type, deviations);

    LocatedJson grid = regular(json.member("chunk_grid"));
    NamedConfiguration chunks = V2Array.chunkGrid(grid.member("chunk_shape"), shape, deviations);
    List<NamedConfiguration> chain = codecs.chain(type, shape.length);
    LocatedJson sharding = Draft2022Sharding.in(json);
    return new TranslatedArray(
        json,
        Shape.of(shape),
        type.dataType(),
        fillValue,
        sharding == null ? chunks : Draft2022Sharding.shards(chunks, sharding),
        keys(grid, shape.length == 0 && scalarIsBare),
        sharding == null ? chain : List.of(Draft2022Sharding.codec(chunks, chain, sharding)),
        codecs.isFilters(attributes.object().get("filters"))
            ? attributes.object().without("filters")
            : attributes.object());
  }

  /** Returns the attributes. A missing member is an empty object, with a warning. */
  static LocatedJson attributes(LocatedJson json, Deviations deviations) {
    LocatedJson attributes = json.optional("attributes");
    if (attributes == null) {
      deviations.note(json, "the member \"attributes\" is missing, and read as an empty object");
      return new LocatedJson(JsonObject.EMPTY, json.location().child("attributes"));
    }
    attributes.object();
    return attributes;
  }

  private static FillValue fillValue(LocatedJson json, V2DataType type, Deviations deviations) {
    FillValue bits = DraftFillValue.ofBits(json.value(), type.dataType());
    if (bits != null) {
      return bits;
    }
    if (json.isNull()) {
      deviations.note(json, "the fill value is undefined (null), and read as zero");
    }
    JsonValue value = DraftFillValue.translate(json.value(), type.dataType());
    return V2FillValue.read(new LocatedJson(value, json.location()), type, deviations).value();
  }

  private static LocatedJson regular(LocatedJson grid) {
    if (grid.object().get("extension") != null
        || !grid.member("type").value().equals(new JsonString("regular"))) {
      throw new UnsupportedFeatureException(
          "the chunk grid of an extension is unsupported", grid.location());
    }
    grid.allowOnly("type", "chunk_shape", "separator");
    return grid;
  }

  /**
   * Returns the encoding that joins the indices, as in Zarr v2: the letter {@code c} before them
   * belongs to the prefix of all chunks. The only chunk of a scalar has that letter as its name.
   */
  private static NamedConfiguration keys(LocatedJson grid, boolean bare) {
    LocatedJson separator = grid.optional("separator");
    String text = separator == null ? "/" : separator.oneOf("/", ".");
    LocatedJson place = separator == null ? grid : separator;
    return NamedConfiguration.of(
        bare ? "default" : "v2",
        new LocatedJson(JsonObject.EMPTY.with("separator", text), place.location()));
  }
}
